import { randomBytes } from 'node:crypto';
import type { Ids } from '@capstan/engine';

/** Ids `<prefix>_<UUIDv7>`, growing within this process also when the clock steps back. `now` gives ms. */
export function createIds(now: () => number = Date.now): Ids & { next(prefix: string): string } {
  let last = 0;
  let counter = 0;
  const random = randomPool();
  return {
    next(prefix: string) {
      const time = now();
      if (time > last) {
        last = time;
        // Starts low in its 12 bits, so that one ms has room for at least 2,048 more.
        counter = random(2).readUInt16BE() & 0x7ff;
      } else if (++counter > 0xfff) {
        last += 1;
        counter = 0;
      }
      const head = last.toString(16).padStart(12, '0');
      const tail = random(8);
      tail[0] = ((tail[0] ?? 0) & 0x3f) | 0x80;
      const rest = tail.toString('hex');
      const middle = `7${counter.toString(16).padStart(3, '0')}`;
      return `${prefix}_${head.slice(0, 8)}-${head.slice(8)}-${middle}-${rest.slice(0, 4)}-${rest.slice(4)}`;
    },
  };
}

/** A call of the system for each id costs more than the id. */
function randomPool(): (bytes: number) => Buffer {
  let pool = Buffer.alloc(0);
  return (bytes) => {
    if (pool.length < bytes) pool = randomBytes(4096);
    const part = pool.subarray(0, bytes);
    pool = pool.subarray(bytes);
    return part;
  };
}
