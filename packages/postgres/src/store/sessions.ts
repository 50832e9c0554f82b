import { createHash } from 'node:crypto';
import type { Sessions } from '@capstan/engine';
import type pg from 'pg';
import { overLostConnections } from '../lost-connection.js';

/** A session that is used is marked so at most this often: a page asks many times a second. */
const MARK_MS = 60_000;

const LIVES = 'ends_at > now() and seen_at + idle > now()';

/** Codes and session secrets have 256 random bits, so a plain hash cannot be guessed back, nor found by timing. */
export function sessionStore(pool: pg.Pool): Sessions {
  const subjectOf = (sql: string, values: unknown[]) =>
    overLostConnections(async () => (await pool.query<{ subject: string }>(sql, values)).rows[0] ?? null);
  return {
    addCode: (code, subject, ttlMs) =>
      overLostConnections(async () => {
        await pool.query(
          `with old_codes as (delete from sign_in_codes where expires_at <= now()),
             old_sessions as (delete from sessions where not (${LIVES}))
           insert into sign_in_codes (hash, subject, expires_at)
           values ($1, $2, now() + $3 * interval '1 ms') on conflict (hash) do nothing`,
          [hashOf(code), subject, ttlMs],
        );
      }),
    // A repeated call whose first answer was lost finds the session that it made itself.
    tradeCode: (code, session, { idleMs, totalMs }) =>
      subjectOf(
        `with traded as (delete from sign_in_codes where hash = $1 and expires_at > now() returning subject),
           made as (
             insert into sessions (hash, subject, idle, ends_at)
             select $2, subject, $3 * interval '1 ms', now() + $4 * interval '1 ms' from traded returning subject)
         select subject from made union all select subject from sessions where hash = $2`,
        [hashOf(code), hashOf(session), idleMs, totalMs],
      ),
    async find(session) {
      const hash = hashOf(session);
      const found = await overLostConnections(() =>
        pool.query<{ subject: string; unmarked: boolean }>(
          `select subject, seen_at + $2 * interval '1 ms' < now() as unmarked from sessions where hash = $1 and ${LIVES}`,
          [hash, MARK_MS],
        ),
      );
      const row = found.rows[0];
      if (!row) return null;
      if (row.unmarked)
        await overLostConnections(() =>
          pool.query('update sessions set seen_at = now() where hash = $1', [hash]),
        );
      return { subject: row.subject };
    },
    end: (session) =>
      overLostConnections(async () => {
        await pool.query('delete from sessions where hash = $1', [hashOf(session)]);
      }),
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}
