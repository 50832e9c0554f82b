import type { LiveLog, LiveReads } from '@capstan/engine';
import { cutAtCharacter } from '../graphql/utf8-cut.js';
import type { LiveOptions } from './live-options.js';
import { gapAt } from './log-gap.js';
import { Pulse } from './pulse.js';

/** A piece of the stored, masked output of an attempt: bytes [from, to). */
export interface LogFrame {
  readonly from: number;
  readonly to: number;
  /** What was read before is void: this is the first byte again. */
  readonly reset: boolean;
  readonly text: string;
  /** No more bytes will come. */
  readonly end: boolean;
  /** `text` is no output: it says what is missing between `from` and `to`. */
  readonly gap: boolean;
  readonly etag: string;
}

export interface LogPosition {
  /** Next byte; null: begin with the first one, anew. */
  readonly after: number | null;
  /** Of the bytes before; null: whatever there is. */
  readonly etag: string | null;
  readonly beat: number;
}

/** Frames that are kept for whoever else stands there; a long log that is read through must not stay in memory. */
const FRAMES_HELD = 16;

/**
 * One watched log. Output comes without an announcement, since one for every piece would cost the followers of hosts more
 * than looking does: it is looked at often while it grows and seldom while it does not.
 */
export class LogFeed {
  readonly pulse: Pulse;
  #log: LiveLog | null = null;
  #poll: NodeJS.Timeout | null = null;
  #quiet = 0;
  #watchers = 0;
  readonly #frames = new Map<string, Promise<LogFrame>>();

  constructor(
    readonly attemptId: string,
    private readonly live: Pick<LiveReads, 'attemptLog'>,
    private readonly bytes: (log: LiveLog, from: number, limit: number) => Promise<Uint8Array>,
    private readonly options: LiveOptions,
    report: (what: string, error: unknown) => void,
  ) {
    this.pulse = new Pulse({
      read: () => this.#read(),
      coalesceMs: Math.min(options.coalesceMs, options.logPollMs),
      heartbeatMs: options.heartbeatMs,
      report: (error) => report(`log of ${attemptId}: cannot be read for its watchers`, error),
    });
  }

  async start(): Promise<void> {
    this.#watchers += 1;
    await this.pulse.start();
    this.#schedule();
  }

  rest(): void {
    this.#watchers = 0;
    if (this.#poll) clearTimeout(this.#poll);
    this.#poll = null;
    this.#frames.clear();
    this.pulse.rest();
  }

  /** The next frame for whoever stands there; null: there is nothing to say until the next beat. */
  async next(
    position: LogPosition,
  ): Promise<{ readonly frame: LogFrame; readonly position: LogPosition } | null> {
    const { beat } = this.pulse;
    const log = this.#log;
    if (!log) return null;
    const isMasked = position.etag !== null && position.etag !== log.logEtag;
    // Output that is complete cannot end before where somebody stands, unless that was another output.
    const isBeyond = position.after !== null && position.after > log.logSize && log.logComplete;
    const reset = position.after === null || isMasked || isBeyond;
    // From the first byte: who comes back has others than those that this stream began with.
    const after = reset ? 0 : (position.after ?? 0);
    const frame = await (this.#frames.get(`${after}|${reset}`) ?? this.#make(after, reset, log));
    const said = reset || frame.to > after || (frame.end && position.beat === -1);
    if (!said && position.beat === beat) return null;
    const isAll = frame.to >= log.logSize || frame.to === after;
    return {
      frame,
      position: { after: frame.to, etag: log.logEtag, beat: isAll ? beat : -1 },
    };
  }

  async #read(): Promise<boolean> {
    const before = this.#log;
    const log = await this.live.attemptLog(this.attemptId);
    if (!log) return false;
    const isNew =
      before === null ||
      before.logSize !== log.logSize ||
      before.logEtag !== log.logEtag ||
      before.logComplete !== log.logComplete ||
      before.logCut?.to !== log.logCut?.to ||
      before.logPruned?.at !== log.logPruned?.at;
    this.#quiet = isNew ? 0 : this.#quiet + 1;
    if (isNew) this.#frames.clear();
    this.#log = log;
    return isNew;
  }

  #schedule(): void {
    if (this.#poll || this.#watchers === 0 || this.#log?.logComplete) return;
    const waitMs = this.options.logPollMs * Math.min(5, 1 + Math.floor(this.#quiet / 5));
    this.#poll = setTimeout(() => {
      this.#poll = null;
      this.pulse.wake();
      this.#schedule();
    }, waitMs);
  }

  #make(after: number, reset: boolean, log: LiveLog): Promise<LogFrame> {
    const name = `${after}|${reset}`;
    const made = this.#frame(after, reset, log);
    const [oldest] = this.#frames.keys();
    if (oldest !== undefined && this.#frames.size >= FRAMES_HELD) this.#frames.delete(oldest);
    this.#frames.set(name, made);
    made.catch(() => this.#frames.delete(name));
    return made;
  }

  async #frame(from: number, reset: boolean, log: LiveLog): Promise<LogFrame> {
    const { logSize, logEtag: etag, logCut } = log;
    const gap = gapAt(from, log);
    if (gap) {
      const end = (log.logComplete || gap.forGood) && gap.to >= logSize;
      return { from, to: gap.to, reset, text: gap.text, end, gap: true, etag };
    }
    const limit = Math.min(this.options.logFrameBytes, Math.max(0, logSize - from));
    const bytes = limit === 0 ? new Uint8Array() : await this.bytes(log, from, limit);
    const last = log.logComplete && from + bytes.length >= logSize;
    // A character whose rest was not kept, or will not come, will never be finished.
    const shown = last || from + bytes.length === logCut?.from ? bytes : cutAtCharacter(bytes);
    return {
      from,
      to: from + shown.length,
      reset,
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(shown),
      end: last,
      gap: false,
      etag,
    };
  }
}
