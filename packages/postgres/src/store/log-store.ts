import type { LogStore } from '@capstan/engine';
import type pg from 'pg';
import { overLostConnections } from '../lost-connection.js';
import { APPEND_LOG, LOG_SIZE, READ_LOG } from '../sql/append-log.js';
import { run } from '../sql/statement.js';
import { transaction } from '../transaction.js';
import { maskChunks } from './mask-log.js';

/** Largest row; a longer piece becomes several. */
const CHUNK_BYTES = 256 * 1024;

/** Largest answer of one read: a caller asks again from where it stands. */
const READ_BYTES = 8 * 1024 * 1024;

/**
 * Logs over a pool whose commits do not wait for the disk: the host's file is the truth, and what a crash loses is read
 * again by offset (S12).
 */
export function logStore(pool: pg.Pool): LogStore {
  const size = async (attemptId: string) => {
    const { rows } = await overLostConnections(() => run<{ size: number }>(pool, LOG_SIZE, [attemptId]));
    return rows[0]?.size ?? 0;
  };
  return {
    size,
    async append(attemptId, offset, bytes) {
      let stored: number | undefined;
      for (let done = 0; done < bytes.length; done += CHUNK_BYTES) {
        const chunk = Buffer.from(bytes.subarray(done, done + CHUNK_BYTES));
        // Repeated over a lost answer it finds another size and changes nothing.
        const { rows } = await overLostConnections(() =>
          run<{ size: number }>(pool, APPEND_LOG, [attemptId, offset + done, chunk]),
        );
        stored = rows[0]?.size;
        if (stored === undefined) break;
      }
      return stored ?? size(attemptId);
    },
    async read(attemptId, from, limit) {
      const to = from + Math.min(limit, READ_BYTES);
      const { rows } = await overLostConnections(() =>
        run<{ start: number; bytes: Buffer }>(pool, READ_LOG, [attemptId, from, to]),
      );
      const parts = rows.map(({ start, bytes }) =>
        bytes.subarray(Math.max(0, from - start), Math.max(0, to - start)),
      );
      return new Uint8Array(Buffer.concat(parts));
    },
    async mask(attemptId, masked) {
      await transaction(pool, async (client) => {
        // The lock keeps a follower from appending between the look and the replacement.
        await client.query('set local synchronous_commit = on');
        await client.query('select from attempt_logs where attempt_id = $1 for update', [attemptId]);
        const changed = await maskChunks(client, attemptId, masked);
        if (changed)
          await client.query('update attempt_logs set edition = edition + 1 where attempt_id = $1', [
            attemptId,
          ]);
        return { keep: true, value: undefined };
      });
    },
    async complete(attemptId) {
      await overLostConnections(() =>
        pool.query(
          `insert into attempt_logs (attempt_id, size, complete) values ($1, 0, true)
           on conflict (attempt_id) do update set complete = true`,
          [attemptId],
        ),
      );
    },
  };
}
