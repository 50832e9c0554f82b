import type { LogStore } from '@capstan/engine';
import type pg from 'pg';
import { overLostConnections } from '../lost-connection.js';
import { APPEND_LOG, LOG_SIZE, READ_LOG } from '../sql/append-log.js';
import { CUT_LOG, WIDEN_CUT } from '../sql/cut-log.js';
import { run } from '../sql/statement.js';
import { transaction } from '../transaction.js';
import { maskChunks } from './mask-log.js';

/** Largest row; a longer piece becomes several. */
const CHUNK_BYTES = 256 * 1024;

/** Largest answer of one read: a caller asks again from where it stands. */
const READ_BYTES = 8 * 1024 * 1024;

/** What is kept of one log, bytes. */
export interface LogLimits {
  /** From the beginning. */
  readonly head: number;
  /** Head and tail together, at most. */
  readonly kept: number;
  /** The middle is taken out each time that so much was added: a cut per append would cost a delete each. */
  readonly step: number;
  /** No secret is longer (S11). */
  readonly border: number;
}

const MIB = 1024 * 1024;
const LOG_LIMITS: LogLimits = { head: 16 * MIB, kept: 256 * MIB, step: 4 * MIB, border: MIB };

/**
 * Logs over a pool whose commits do not wait for the disk: the host's file is the truth, and what a crash loses is read
 * again by offset (S12).
 */
export function logStore(pool: pg.Pool, limits: LogLimits = LOG_LIMITS): LogStore {
  const cut = async (attemptId: string, stored: number) => {
    // One step until the next cut, and one for the chunks that lie across its two ends.
    const kept = limits.kept - 2 * limits.step;
    if (stored <= kept) return;
    const stays = stored - (kept - limits.head);
    await overLostConnections(() => run(pool, CUT_LOG, [attemptId, limits.head, stays]));
  };
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
        if (Math.floor(stored / limits.step) > Math.floor((stored - chunk.length) / limits.step))
          await cut(attemptId, stored);
      }
      return stored ?? size(attemptId);
    },
    async read(attemptId, from, limit) {
      const to = from + Math.min(limit, READ_BYTES);
      const { rows } = await overLostConnections(() =>
        run<{ start: number; bytes: Buffer }>(pool, READ_LOG, [attemptId, from, to]),
      );
      const parts: Buffer[] = [];
      let at = from;
      for (const { start, bytes } of rows) {
        // Up to what was taken out; the caller is told of that by the attempt.
        if (start > at) break;
        const part = bytes.subarray(at - start, Math.max(0, to - start));
        parts.push(part);
        at += part.length;
      }
      return new Uint8Array(Buffer.concat(parts));
    },
    async mask(attemptId, masked) {
      await transaction(pool, async (client) => {
        // The lock keeps a follower from appending between the look and the replacement.
        await client.query('set local synchronous_commit = on');
        await client.query('select from attempt_logs where attempt_id = $1 for update', [attemptId]);
        const changed = await maskChunks(client, attemptId, masked);
        // Half a secret at the border of a cut matches nothing. One that crosses the wider border was whole when it was masked.
        await run(client, WIDEN_CUT, [attemptId, limits.border]);
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
