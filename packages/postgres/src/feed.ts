import type { Feed } from '@capstan/engine';
import type pg from 'pg';
import type { Listener } from './listener.js';
import type { Statement } from './sql/statement.js';

const CHANNEL = 'capstan_feed';

/** Tells watchers within a transaction: for the writes of people, which are few. $1 operation, $2 sequence. */
export const TELL_WATCHERS: Statement = {
  name: 'tell_watchers',
  text: `select pg_notify('${CHANNEL}', json_build_array(json_build_array($1::text, $2::bigint))::text)`,
};

/** The server refuses a message of 8,000 bytes. */
const MESSAGE_BYTES = 7000;

/** Announcements of this process, at most one message per interval: NOTIFY in each commit halves what eight writers reach. */
export function createFeed(
  pool: pg.Pool,
  intervalMs: number,
  log: (line: string) => void,
): Feed & { close(): Promise<void> } {
  const waiting = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();

  const send = async () => {
    const items = [...waiting];
    waiting.clear();
    try {
      for (const message of messages(items))
        await pool.query({ name: 'announce', text: 'select pg_notify($1, $2)', values: [CHANNEL, message] });
    } catch (error) {
      // Only hints: what watchers read by sequence is in the rows, and the next announcement covers this one.
      log(`an announcement was lost: ${(error as Error).message}`);
    }
  };
  const flush = () => {
    timer = null;
    sending = sending.then(send);
  };
  return {
    announce(operationId, sequence) {
      waiting.set(operationId, Math.max(sequence, waiting.get(operationId) ?? 0));
      timer ??= setTimeout(flush, intervalMs);
    },
    async close() {
      if (timer) {
        clearTimeout(timer);
        flush();
      }
      await sending;
    },
  };
}

/** Hears the announcements of every process, this one's too. */
export function watchFeed(
  listener: Listener,
  handler: (operationId: string, sequence: number) => void,
): Promise<() => Promise<void>> {
  return listener.listen(CHANNEL, (payload) => {
    for (const [operationId, sequence] of JSON.parse(payload) as [string, number][])
      handler(operationId, sequence);
  });
}

function messages(items: readonly [string, number][]): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    if (size + text.length > MESSAGE_BYTES) {
      parts.push(`[${part.join(',')}]`);
      part = [];
      size = 0;
    }
    part.push(text);
    size += text.length + 1;
  }
  return part.length > 0 ? [...parts, `[${part.join(',')}]`] : parts;
}
