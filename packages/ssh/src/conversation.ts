import { randomBytes } from 'node:crypto';
import type { Blocked, HostConnection } from '@capstan/engine';
import { REASON_CODES, type ReasonCode, reason } from '@capstan/model';
import type { ClientChannel } from 'ssh2';
import { FrameReader, type NoLine } from './frame-reader.js';
import type { ChannelUse, HostLink, OpenChannel } from './host-link.js';
import { doorScript, type HostVerb, hostProgram } from './host-scripts.js';

/**
 * When a program runs as root. `own`: only where the run root is not the login user's; `able`: where sudo answers without
 * asking, too; `try`: where it does, else as the login user; `must`: always.
 */
export type Elevation = 'never' | 'own' | 'able' | 'try' | 'must';

export interface Question {
  readonly verb: HostVerb;
  readonly use: ChannelUse;
  readonly elevation: Elevation;
  /** Empty where there is none yet. */
  readonly runRoot: string;
  /** Sent as `KEY VALUE` lines; values have no line end. */
  readonly header: Readonly<Record<string, string | number>>;
  readonly signal?: AbortSignal;
}

/** A program that runs on a host and has begun to talk. */
export interface Conversation {
  readonly kind: 'talking';
  /** The next line: the verb and its words. A `blocked` line is taken apart, an end comes as `lost`. */
  next(timeoutMs: number): Promise<Said>;
  /** Counted bytes that follow a line; false when they did not all come. */
  bytes(count: number, timeoutMs: number, take: (piece: Buffer) => Promise<void> | void): Promise<boolean>;
  text(count: number, timeoutMs: number): Promise<string | null>;
  /** Waits until the host takes more. */
  send(data: string | Uint8Array): Promise<void>;
  /** Sends a line that ends with the length, and then the bytes. */
  sendCounted(words: string, parts: readonly Uint8Array[]): Promise<void>;
  /** Why the channel is over, in words. */
  lost(): string;
  close(): void;
}

export type Said =
  | { readonly kind: 'line'; readonly verb: string; readonly words: readonly string[] }
  | { readonly kind: 'blocked'; readonly blocked: Blocked }
  | { readonly kind: 'lost'; readonly why: string };

/**
 * Starts a program on a host. The command line means the same in every login shell (V02); the program and everything it is
 * told come over its standard input, and what it says is told apart from profile noise by a marker (V01).
 */
export async function converse(
  host: HostConnection,
  link: HostLink,
  question: Question,
  answerTimeoutMs: number,
): Promise<Conversation | Blocked> {
  const marker = randomBytes(16).toString('hex');
  const program = hostProgram(question.verb);
  const door = `M=${marker} E=${question.elevation} N=${program.length}\n${doorScript()}`;
  const opened = await link.open(
    question.use,
    `/bin/sh -c 'eval "$(dd bs=${Buffer.byteLength(door)} count=1 iflag=fullblock 2>/dev/null)"'`,
    question.signal,
  );
  if (opened.kind === 'blocked') return opened;
  const talk = new ChannelTalk(opened, marker);
  const stop = (): void => talk.close();
  question.signal?.addEventListener('abort', stop, { once: true });
  talk.onClose(() => question.signal?.removeEventListener('abort', stop));
  if (question.signal?.aborted === true) talk.close();
  const header = Object.entries(question.header).map(([key, value]) => `${key} ${value}\n`);
  talk.post([door, `${question.runRoot}\n`, program, ...header, 'go\n']);
  const refusal = await talk.enter(host, question.elevation !== 'never', answerTimeoutMs);
  if (refusal === null) return talk;
  talk.close();
  if (question.signal?.aborted === true) return blocked('unreachable', 'stopped');
  return refusal;
}

class ChannelTalk implements Conversation {
  readonly kind = 'talking';
  readonly #channel: ClientChannel;
  readonly #reader: FrameReader;
  #errors = '';
  #closed = false;
  #gone = false;
  #closers: (() => void)[] = [];

  constructor(
    private readonly opened: OpenChannel,
    private readonly marker: string,
  ) {
    this.#channel = opened.channel;
    this.#reader = new FrameReader(this.#channel, marker);
    this.#channel.on('error', () => undefined); // the reader sees the end
    this.#channel.once('close', () => {
      this.#gone = true;
    });
    this.#channel.stderr.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString('latin1')).slice(-8192);
    });
  }

  onClose(act: () => void): void {
    this.#closers.push(act);
  }

  post(parts: readonly (string | Uint8Array)[]): void {
    this.#channel.write(Buffer.concat(parts.map(bytesOf)));
  }

  /** Waits until the program itself runs; null when it does. */
  async enter(host: HostConnection, mayElevate: boolean, timeoutMs: number): Promise<Blocked | null> {
    const door = await this.#reader.seek(timeoutMs);
    if ('none' in door) return this.#noDoor(host, door.none, door.noise, timeoutMs);
    const inside = await this.#reader.seek(timeoutMs);
    if (!('none' in inside)) return null;
    const said = this.#said();
    if (inside.none === 'ended' && this.opened.lost() !== null) return blocked('unreachable', this.lost());
    if (isPrompt(said)) return blocked('needs_input', said);
    if (mayElevate) return blocked('no_sudo', said || `sudo did not answer within ${timeoutMs} ms`);
    return blocked('needs_input', said || `/bin/sh of ${host.name} did not run what it was sent`);
  }

  async next(timeoutMs: number): Promise<Said> {
    for (;;) {
      const line = await this.#reader.line(timeoutMs);
      if ('none' in line) return { kind: 'lost', why: this.#why(line.none) };
      const [verb = '', ...words] = line.words.split(' ');
      if (verb === 'beat') continue;
      if (verb !== 'blocked') return { kind: 'line', verb, words };
      const text = await this.text(Number(words[1]), timeoutMs);
      return text === null
        ? { kind: 'lost', why: this.lost() }
        : { kind: 'blocked', blocked: blockedOf(words[0] ?? '', text) };
    }
  }

  bytes(count: number, timeoutMs: number, take: (piece: Buffer) => Promise<void> | void): Promise<boolean> {
    return this.#reader.bytes(count, timeoutMs, take);
  }

  async text(count: number, timeoutMs: number): Promise<string | null> {
    const pieces: Buffer[] = [];
    const whole = await this.bytes(count, timeoutMs, (piece) => void pieces.push(piece));
    return whole ? Buffer.concat(pieces).toString('utf8') : null;
  }

  async send(data: string | Uint8Array): Promise<void> {
    const bytes = bytesOf(data);
    for (let at = 0; at < bytes.length; at += SENT_AT_ONCE) {
      if (this.#gone || this.#closed || !this.#channel.writable) return;
      if (!this.#channel.write(bytes.subarray(at, at + SENT_AT_ONCE))) await this.#drained();
    }
  }

  async sendCounted(words: string, parts: readonly Uint8Array[]): Promise<void> {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    // Small ones in one packet.
    if (size <= SENT_AT_ONCE) return this.send(Buffer.concat([Buffer.from(`${words} ${size}\n`), ...parts]));
    await this.send(`${words} ${size}\n`);
    for (const part of parts) await this.send(part);
  }

  lost(): string {
    return this.opened.lost() ?? (this.#said() || 'the channel was closed');
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const act of this.#closers) act();
    this.#reader.stop();
    // The host counts a session until it has closed it too; one that does not is not waited for.
    const timer = setTimeout(() => this.opened.release(), CLOSE_PATIENCE_MS);
    timer.unref();
    const gone = (): void => {
      clearTimeout(timer);
      this.opened.release();
    };
    if (this.#gone) gone();
    else this.#channel.once('close', gone);
    this.#channel.destroy();
  }

  /** What the host printed as errors after our first line: sudo's words. */
  #said(): string {
    const door = `${this.marker} door`;
    const at = this.#errors.indexOf(door);
    return oneLine(at < 0 ? this.#errors : this.#errors.slice(at + door.length));
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#channel.removeListener('drain', done);
        this.#channel.removeListener('close', done);
        resolve();
      };
      this.#channel.once('drain', done);
      this.#channel.once('close', done);
    });
  }

  #why(none: NoLine): string {
    if (none === 'silent') return 'the host fell silent';
    if (none === 'garbled') return 'the host said something that no program of ours says';
    return this.lost();
  }

  /** The login shell did not get as far as our first line (V06). */
  #noDoor(host: HostConnection, none: NoLine, noise: string, timeoutMs: number): Blocked {
    if (this.opened.lost() !== null) return blocked('unreachable', this.lost());
    // sshd judges the account when someone logs in, and the connection keeps that verdict whatever a person then puts right.
    if (none === 'ended') this.opened.renew();
    const said = oneLine(`${noise} ${this.#errors}`);
    if (isPrompt(said)) return blocked('needs_input', said);
    if (/not available|nologin|account (has )?expired/i.test(said)) return blocked('auth_failed', said);
    const begin =
      none === 'silent' ? `did not start /bin/sh within ${timeoutMs} ms` : 'ended before it started /bin/sh';
    return blocked(
      'needs_input',
      `the login shell of ${host.user} ${begin}; look at its profile${said === '' ? '' : `: ${said}`}`,
    );
  }
}

const SENT_AT_ONCE = 65_536;
const CLOSE_PATIENCE_MS = 3_000;

function bytesOf(data: string | Uint8Array): Buffer {
  return typeof data === 'string'
    ? Buffer.from(data)
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** Words with which a system asks for a new password. */
function isPrompt(said: string): boolean {
  return /password.{0,40}(expired|must be changed|change required)|(change|reset) your password/i.test(said);
}

function blockedOf(code: string, text: string): Blocked {
  const args: Record<string, string | number> = {};
  for (const line of text.split('\n')) {
    const at = line.indexOf('=');
    const [name, value] = [line.slice(0, at), line.slice(at + 1)];
    if (at > 0) args[name] = name === 'free' ? Number(value) : value;
    // A further line belongs to the text before it.
    else if (line !== '' && typeof args.detail === 'string') args.detail += ` ${line}`;
  }
  const known = REASON_CODES.find((one) => one === code) ?? 'needs_input';
  return { kind: 'blocked', reason: reason(known, args) };
}

function blocked(code: ReasonCode, detail: string): Blocked {
  return { kind: 'blocked', reason: reason(code, { detail }) };
}

/** What a person reads of a host's own words: one line, no control characters, not too much. */
function oneLine(text: string): string {
  return Buffer.from(text, 'latin1')
    .toString('utf8')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 500);
}
