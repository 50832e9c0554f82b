import { createStore, type StoreApi } from 'zustand/vanilla';
import { BROWSER_PACE, flushWindow, type Pace } from './flush-window';
import type { LogFrame } from './log-frame';

/** What is known of a log besides its lines. */
export interface LogLive {
  /** Lines that can be read, the unfinished last one among them. */
  readonly lines: number;
  /** Bytes read so far; null before the first frame. */
  readonly to: number | null;
  readonly ended: boolean;
  /** Counts up when everything was read anew: positions of before mean nothing. */
  readonly generation: number;
}

/** A log of up to hundreds of thousands of lines. */
export interface LogStore {
  readonly state: StoreApi<LogLive>;
  /** Takes a frame in. `gap`: bytes are missing before it; nothing was taken. */
  receive(frame: LogFrame): 'taken' | 'gap';
  /** Bytes up to which frames were taken in. */
  cursor(): number | null;
  /** Whether the last frame said that nothing follows, shown or not. */
  ended(): boolean;
  /** A line as a terminal would leave it, colours still in it; from 0. */
  line(index: number): string;
  /** Whether the line is no output but says what is missing. */
  isNote(index: number): boolean;
  /** Indexes of the lines that hold this text, in order, without regard to case; at most `limit`. */
  search(text: string, limit?: number): readonly number[];
  /** Indexes of the lines that look like an error, in order. */
  problems(): readonly number[];
  /** Next or previous line that looks like an error; null when there is none that way. */
  nextError(from: number, direction: 1 | -1): number | null;
}

/** Lines per block. Blocks are never touched again: 200,000 lines in one array would be copied at every growth. */
const BLOCK = 1_024;

/** Makes an empty log, shown at most once per `windowMs`. */
export function createLogStore(pace: Pace = BROWSER_PACE, windowMs = 100): LogStore {
  let blocks: string[][] = [];
  let notes = new Set<number>();
  let problems: number[] = [];
  let whole = 0;
  let tail = '';
  let pending: LogLive = { lines: 0, to: null, ended: false, generation: 0 };
  const state = createStore<LogLive>()(() => pending);
  const show = flushWindow(() => state.setState(pending, true), pace, windowMs);

  const push = (line: string) => {
    const last = blocks.at(-1);
    if (last === undefined || last.length === BLOCK) blocks.push([line]);
    else last.push(line);
    if (ERROR.test(line)) problems.push(whole);
    whole += 1;
  };
  const add = (text: string) => {
    const pieces = `${tail}${text}`.split('\n');
    tail = withoutOverwritten(pieces.pop() ?? '');
    for (const piece of pieces) push(finished(piece));
  };
  const note = (text: string) => {
    if (tail !== '') push(finished(tail));
    tail = '';
    for (const line of text.trimEnd().split('\n')) {
      notes.add(whole);
      push(line);
    }
  };
  const line = (index: number): string =>
    index < whole ? (blocks[Math.floor(index / BLOCK)]?.[index % BLOCK] ?? '') : finished(tail);

  const problemLines = () => (ERROR.test(finished(tail)) ? [...problems, whole] : problems);

  return {
    state,
    line,
    cursor: () => pending.to,
    ended: () => pending.ended,
    isNote: (index) => notes.has(index),
    receive(frame) {
      if (frame.reset) {
        blocks = [];
        notes = new Set();
        problems = [];
        whole = 0;
        tail = '';
      } else if (frame.from > (pending.to ?? 0)) return 'gap';
      // A repeat after a reconnect: its bytes are here already, and characters cannot be counted back from bytes.
      else if (frame.from < (pending.to ?? 0)) return frame.to <= (pending.to ?? 0) ? 'taken' : 'gap';
      if (frame.gap) note(frame.text);
      else add(frame.text);
      pending = {
        lines: whole + (tail === '' ? 0 : 1),
        to: frame.to,
        ended: frame.end,
        generation: pending.generation + (frame.reset ? 1 : 0),
      };
      show();
      return 'taken';
    },
    search(text, limit = 10_000) {
      const wanted = text.toLowerCase();
      const found: number[] = [];
      for (let index = 0; index < pending.lines && found.length < limit; index++) {
        if (line(index).toLowerCase().includes(wanted)) found.push(index);
      }
      return found;
    },
    problems: problemLines,
    nextError: (from, direction) =>
      (direction === 1
        ? problemLines().find((line) => line > from)
        : problemLines().findLast((line) => line < from)) ?? null,
  };
}

/** Words that tools use for what went wrong; `0 errors` and `no error` say the opposite. */
const ERROR =
  /(?<!\b(?:0|no|without)\s)\b(?:errors?|fatal|failed|failure|panic|exception|traceback|cannot|denied)\b/i;

/** What a carriage return left of a line: a progress bar is its last state, not its thousand former ones [UX-R9]. */
function finished(piece: string): string {
  const text = piece.endsWith('\r') ? piece.slice(0, -1) : piece;
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** The same for the unfinished line, which keeps a last `\r`: what comes next decides what it meant. */
function withoutOverwritten(tail: string): string {
  const at = tail.lastIndexOf('\r', tail.length - 2);
  return at < 0 ? tail : tail.slice(at + 1);
}
