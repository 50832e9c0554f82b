import { setTimeout as sleep } from 'node:timers/promises';

/** Whether an error says that the connection or the server went away, not that the statement was wrong. */
export function isLostConnection(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  // 57P01…57P03: shutdown, crash, starting up; 08…: connection; 53300: too many while others let go.
  if (/^(57P0[1-5]|08...|53300)$/.test(code)) return true;
  if (['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOENT', 'ETIMEDOUT'].includes(code)) return true;
  return /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/.test(
    message,
  );
}

/**
 * Repeats a call whose connection broke, for `patienceMs` at most. Only for what may be asked twice: a read, a
 * compare-and-set, an insert by its own id.
 */
export async function overLostConnections<T>(call: () => Promise<T>, patienceMs = 5000): Promise<T> {
  const until = Date.now() + patienceMs;
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 2, 500)) {
    try {
      return await call();
    } catch (error) {
      if (!isLostConnection(error) || Date.now() + waitMs > until) throw error;
      await sleep(waitMs);
    }
  }
}
