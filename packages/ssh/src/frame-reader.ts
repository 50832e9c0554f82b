import type { Readable } from 'node:stream';

/** What came instead of a line: the stream is over, nothing came in time, or it is not what was agreed. */
export type NoLine = 'ended' | 'silent' | 'garbled';

/**
 * Reads what a program on a host says: lines that begin with a marker nobody can guess, and counted bytes after some of
 * them. Whatever comes before the first marker is the host's own noise (V01).
 */
export class FrameReader {
  #queue: Buffer[] = [];
  #queued = 0;
  #buffer: Buffer = Buffer.alloc(0);
  #over = false;
  #stopped = false;
  #wake: (() => void) | null = null;

  constructor(
    private readonly stream: Readable,
    private readonly marker: string,
  ) {
    stream.on('data', (chunk: Buffer) => {
      if (this.#stopped) return;
      this.#queue.push(chunk);
      this.#queued += chunk.length;
      if (this.#queued > MOST_QUEUED) stream.pause();
      this.#wake?.();
    });
    const over = (): void => {
      this.#over = true;
      this.#wake?.();
    };
    stream.once('end', over);
    stream.once('close', over);
    stream.once('error', over);
  }

  /** Lets go of what still comes; a channel only closes when it was read to its end. */
  stop(): void {
    this.#stopped = true;
    this.#over = true;
    this.#queue = [];
    this.#wake?.();
    this.stream.resume();
  }

  /** Throws away everything before the next marker; gives the words of its line, and what was thrown away. */
  async seek(
    timeoutMs: number,
  ): Promise<
    { readonly words: string; readonly noise: string } | { readonly none: NoLine; readonly noise: string }
  > {
    const until = performance.now() + timeoutMs;
    let noise = '';
    for (;;) {
      const at = this.#buffer.indexOf(this.marker);
      if (at >= 0) {
        noise += this.#buffer.toString('latin1', 0, at);
        this.#buffer = this.#buffer.subarray(at);
        const line = await this.line(until - performance.now());
        return 'words' in line ? { words: line.words, noise } : { none: line.none, noise };
      }
      const keep = Math.min(this.#buffer.length, this.marker.length - 1);
      noise = (noise + this.#buffer.toString('latin1', 0, this.#buffer.length - keep)).slice(0, NOISE_KEPT);
      this.#buffer = this.#buffer.subarray(this.#buffer.length - keep);
      const more = await this.#more(until - performance.now());
      if (more !== 'more') return { none: more, noise: noise + this.#buffer.toString('latin1') };
    }
  }

  /** The words of the next line, without the marker. */
  async line(timeoutMs: number): Promise<{ readonly words: string } | { readonly none: NoLine }> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const end = this.#buffer.indexOf(0x0a);
      if (end >= 0) {
        const text = this.#buffer.toString('latin1', 0, end);
        if (!text.startsWith(`${this.marker} `)) return { none: 'garbled' };
        this.#buffer = this.#buffer.subarray(end + 1);
        return { words: text.slice(this.marker.length + 1) };
      }
      if (this.#buffer.length > LONGEST_LINE) return { none: 'garbled' };
      const more = await this.#more(until - performance.now());
      if (more !== 'more') return { none: more };
    }
  }

  /** Hands over exactly `count` bytes, in the pieces in which they come; false when the stream ends or falls silent before. */
  async bytes(
    count: number,
    timeoutMs: number,
    take: (piece: Buffer) => Promise<void> | void,
  ): Promise<boolean> {
    let left = count;
    while (left > 0) {
      if (this.#buffer.length === 0 && (await this.#more(timeoutMs)) !== 'more') return false;
      const piece = this.#buffer.subarray(0, left);
      this.#buffer = this.#buffer.subarray(piece.length);
      left -= piece.length;
      await take(piece);
    }
    return true;
  }

  async #more(timeoutMs: number): Promise<'more' | 'ended' | 'silent'> {
    if (this.#queue.length === 0 && !this.#over) await this.#arrival(timeoutMs);
    const chunk = this.#queue.shift();
    if (chunk === undefined) return this.#over ? 'ended' : 'silent';
    this.#queued -= chunk.length;
    if (this.#queued <= MOST_QUEUED) this.stream.resume();
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    return 'more';
  }

  #arrival(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer =
        timeoutMs === Number.POSITIVE_INFINITY
          ? undefined
          : setTimeout(() => this.#wake?.(), Math.max(0, timeoutMs));
      this.#wake = () => {
        this.#wake = null;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const NOISE_KEPT = 4096;
const LONGEST_LINE = 8192;
const MOST_QUEUED = 262_144;
