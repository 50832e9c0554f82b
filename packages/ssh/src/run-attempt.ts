import { randomBytes } from 'node:crypto';
import type { AttemptBundle, HostConnection, RunResult, RunSink } from '@capstan/engine';
import { createRedactor, type Redactor, reason } from '@capstan/model';
import { type Conversation, converse, type Said } from './conversation.js';
import type { HostLink } from './host-link.js';
import { supervisorScript } from './host-scripts.js';
import { attemptArchives, attemptHeader, checkedUser, hasSecrets } from './program-files.js';

export interface RunOptions {
  readonly answerTimeoutMs: number;
  readonly pollMs: number;
  readonly killGraceMs: number;
}

/**
 * Starts an attempt at most once, else attaches; then hands its output to the sink, masked, until the host says that it is
 * over. The host decides everything under its locks (S5, S6); this side only asks and follows.
 */
export async function runAttempt(
  host: HostConnection,
  link: HostLink,
  options: RunOptions,
  bundle: AttemptBundle,
  fromOffset: number,
  sink: RunSink,
  signal: AbortSignal,
): Promise<RunResult> {
  const { ref, program } = bundle;
  const nonce = randomBytes(6).toString('hex');
  // Read a little earlier than asked, so that a secret that lies over the border is seen whole.
  const offset = Math.max(0, fromOffset - OVERLAP);
  const talk = await converse(
    host,
    link,
    {
      verb: 'run',
      use: 'long',
      elevation: program.as === 'login' ? 'own' : 'must',
      runRoot: ref.runRoot,
      signal,
      header: {
        ...attemptHeader(ref),
        nonce,
        secrets: hasSecrets(program) ? 'yes' : 'no',
        known: fromOffset > 0 ? 'yes' : 'no',
        offset,
        show: bundle.follow ? 'yes' : 'no',
        as: checkedUser(program.as),
        timeout: seconds(program.timeoutMs),
        grace: Math.ceil(options.killGraceMs / 1000),
        poll: seconds(options.pollMs),
      },
    },
    options.answerTimeoutMs,
  );
  if (talk.kind === 'blocked') return signal.aborted ? lost('stopped following') : talk;
  const log = new MaskedLog(createRedactor(bundle.redaction), offset, fromOffset, sink);
  let deliveries = 0;
  try {
    for (;;) {
      const said = await talk.next(Number.POSITIVE_INFINITY);
      if (said.kind === 'blocked') return said.blocked;
      if (said.kind === 'lost') return lost(signal.aborted ? 'stopped following' : said.why);
      if (said.verb === 'need') {
        deliveries++;
        await deliver(talk, bundle, `${nonce}.${deliveries}`);
      } else if (said.verb === 'started') {
        sink.started({ incarnation: said.words[0] ?? '' });
      } else if (said.verb === 'data') {
        if (!(await talk.bytes(Number(said.words[0]), SILENCE_MS, (piece) => log.take(piece))))
          return lost(signal.aborted ? 'stopped following' : talk.lost());
      } else {
        const result = resultOf(said);
        if (result.kind !== 'orphaned') await log.end();
        return result;
      }
    }
  } finally {
    talk.close();
  }
}

/** Sends the files of an attempt; the host names their folders after the attempt and this name. */
async function deliver(talk: Conversation, { ref, program }: AttemptBundle, name: string): Promise<void> {
  const archives = attemptArchives(program, supervisorScript(), `${ref.secretRoot}/${ref.attemptId}.${name}`);
  await talk.sendCounted('folder', archives.folder);
  if (archives.vault !== null) await talk.sendCounted('vault', archives.vault);
  await talk.send('done\n');
}

/** Output with offsets: what lies before the wanted offset is only read for its context. */
export class MaskedLog {
  #offset: number;

  constructor(
    private readonly redactor: Redactor,
    offset: number,
    private readonly from: number,
    private readonly sink: Pick<RunSink, 'log'>,
  ) {
    this.#offset = offset;
  }

  async take(bytes: Uint8Array): Promise<void> {
    await this.#give(this.redactor.push(bytes));
  }

  async end(): Promise<void> {
    await this.#give(this.redactor.flush());
  }

  async #give(bytes: Uint8Array): Promise<void> {
    const at = this.#offset;
    this.#offset += bytes.length;
    const known = Math.min(bytes.length, Math.max(0, this.from - at));
    if (known < bytes.length) await this.sink.log(at + known, bytes.subarray(known));
  }
}

export const OVERLAP = 65_536;
/** Between two pieces of counted bytes; keepalives notice a dead link earlier. */
const SILENCE_MS = 120_000;

function resultOf(said: Extract<Said, { kind: 'line' }>): RunResult {
  const [first = '', second = '', third = ''] = said.words;
  switch (said.verb) {
    case 'end':
      if (third === 'timed_out') return { kind: 'timed_out', logSize: Number(second) };
      if (third === 'cancelled') return { kind: 'refused', why: 'cancelled' };
      return { kind: 'exited', code: Number(first), logSize: Number(second) };
    case 'refused':
      return {
        kind: 'refused',
        why: first === 'fenced' || first === 'predecessor_alive' ? first : 'cancelled',
      };
    case 'cancelled':
      return { kind: 'refused', why: 'cancelled' };
    case 'orphaned':
      return { kind: 'orphaned', alive: Number(first) };
    case 'supervisor_died':
    case 'host_restarted':
    case 'run_folder_lost':
      return { kind: 'dead', why: said.verb };
    default:
      return lost(`the host said ${said.verb}`);
  }
}

function lost(detail: string): Extract<RunResult, { kind: 'link_lost' }> {
  return { kind: 'link_lost', reason: reason('disconnected', { detail }) };
}

export function seconds(ms: number): string {
  return (Math.max(1, ms) / 1000).toFixed(3);
}
