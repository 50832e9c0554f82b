import { CapstanError } from '@capstan/model';
import type pg from 'pg';

/** What is masked in one go, and how much of it is looked at again with what follows: no secret is longer (S11). */
const WINDOW_BYTES = 16 * 1024 * 1024;
const OVERLAP_BYTES = 1024 * 1024;

interface Chunk {
  readonly start: number;
  readonly bytes: Buffer;
}

/**
 * Replaces a log's chunks by masked ones, window by window, so that a log of any size fits in memory. Windows overlap
 * and both look at the bytes as they were: a byte is masked when either says so, else a match cut by the first window's
 * end would keep its tail. Returns whether anything changed.
 */
export async function maskChunks(
  client: pg.ClientBase,
  attemptId: string,
  masked: (bytes: Uint8Array) => Uint8Array,
): Promise<boolean> {
  let changed = false;
  let kept: Chunk[] = [];
  let next = 0;
  for (;;) {
    const read = await readWindow(client, attemptId, next);
    if (read.length === 0) return changed;
    const window = [...kept, ...read];
    const before = Buffer.concat(window.map((chunk) => chunk.bytes));
    const after = masked(before);
    if (after.length !== before.length)
      throw new CapstanError('mask_length', 'a masked log must keep its length');
    let at = 0;
    for (const { start, bytes } of window) {
      changed =
        (await replace(client, attemptId, start, bytes, after.subarray(at, at + bytes.length))) || changed;
      at += bytes.length;
    }
    kept = tailOf(window);
    const last = read.at(-1);
    next = last ? last.start + last.bytes.length : next;
  }
}

async function readWindow(client: pg.ClientBase, attemptId: string, from: number): Promise<Chunk[]> {
  const { rows } = await client.query<Chunk>(
    // Counted from the first chunk that is there: the middle of a long log may have been taken out.
    `select start, bytes from log_chunks where attempt_id = $1 and start >= $2
       and start < (select min(start) from log_chunks where attempt_id = $1 and start >= $2) + $3::bigint order by start`,
    [attemptId, from, WINDOW_BYTES],
  );
  return rows;
}

async function replace(
  client: pg.ClientBase,
  attemptId: string,
  start: number,
  before: Buffer,
  after: Uint8Array,
): Promise<boolean> {
  if (before.equals(after)) return false;
  const { rows } = await client.query<{ bytes: Buffer }>(
    'select bytes from log_chunks where attempt_id = $1 and start = $2',
    [attemptId, start],
  );
  const stored = Buffer.from(rows[0]?.bytes ?? before);
  for (let i = 0; i < stored.length; i += 1) if (after[i] !== before[i]) stored[i] = after[i] ?? 0;
  await client.query('update log_chunks set bytes = $3 where attempt_id = $1 and start = $2', [
    attemptId,
    start,
    stored,
  ]);
  return true;
}

function tailOf(window: readonly Chunk[]): Chunk[] {
  let size = 0;
  let first = window.length;
  while (first > 0 && size < OVERLAP_BYTES) size += window[--first]?.bytes.length ?? 0;
  return window.slice(first);
}
