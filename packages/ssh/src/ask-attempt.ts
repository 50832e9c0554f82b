import { randomBytes } from 'node:crypto';
import type {
  AttemptProbe,
  AttemptRef,
  Blocked,
  CancelResult,
  CollectResult,
  HostConnection,
  Redaction,
  RunSink,
  WantedOutput,
} from '@capstan/engine';
import { CapstanError, createRedactor, reason } from '@capstan/model';
import { type Conversation, converse, type Said } from './conversation.js';
import type { HostLink } from './host-link.js';
import type { HostVerb } from './host-scripts.js';
import { attemptHeader } from './program-files.js';
import { MaskedLog, OVERLAP } from './run-attempt.js';

/** How long a host may think about a question, beyond what the question itself takes. */
const PATIENCE_MS = 60_000;

/** Where an attempt on a host is reached. */
export interface AttemptPlace {
  readonly host: HostConnection;
  readonly link: HostLink;
  readonly ref: AttemptRef;
  readonly answerTimeoutMs: number;
}

/** What the host knows of an attempt. */
export async function probeAttempt(place: AttemptPlace): Promise<AttemptProbe> {
  return ask(place, 'probe', {}, async (talk) => {
    const said = await talk.next(PATIENCE_MS);
    if (said.kind !== 'line') return ended(said);
    switch (said.verb) {
      case 'exited':
        return { kind: 'exited', code: Number(said.words[0]) };
      case 'orphaned':
        return { kind: 'orphaned', alive: Number(said.words[0]) };
      case 'never_started':
      case 'running':
      case 'cancelled':
      case 'timed_out':
        return { kind: said.verb };
      case 'supervisor_died':
      case 'host_restarted':
      case 'run_folder_lost':
        return { kind: 'dead', why: said.verb };
      default:
        return unexpected(said.verb);
    }
  });
}

/** Tombstone, TERM, `graceMs`, KILL, and the host's word whether anything is left. */
export async function cancelAttempt(place: AttemptPlace, graceMs: number): Promise<CancelResult> {
  return ask(place, 'cancel', { grace: Math.ceil(graceMs / 1000) }, async (talk) => {
    const said = await talk.next(graceMs + PATIENCE_MS);
    if (said.kind !== 'line') return ended(said);
    if (said.verb === 'gone') return { kind: 'gone' };
    return said.verb === 'unconfirmed'
      ? { kind: 'unconfirmed', alive: Number(said.words[0]) }
      : unexpected(said.verb);
  });
}

/** The declared outputs, each at most as large as it may be (S11). */
export async function collectOutputs(
  place: AttemptPlace,
  wanted: readonly WantedOutput[],
): Promise<CollectResult> {
  const lines = wanted.map(
    ({ name, limit }) => `want ${limit} ${checkedOutput(name)}\nwant ${META_LIMIT} ${name}.meta.json\n`,
  );
  return ask(place, 'collect', {}, async (talk) => {
    await talk.send(`${lines.join('')}done\n`);
    const names = new Set(wanted.map((output) => output.name));
    const files: { name: string; bytes: Uint8Array }[] = [];
    const meta: Record<string, Uint8Array> = {};
    const missing: { name: string; why: string }[] = [];
    for (;;) {
      const said = await talk.next(PATIENCE_MS);
      if (said.kind !== 'line') return ended(said);
      if (said.verb === 'collected') return { kind: 'collected', files, meta, missing };
      const name = said.words[1] ?? '';
      if (said.verb === 'missing') {
        if (names.has(name)) missing.push({ name, why: said.words[0] ?? '' });
        continue;
      }
      if (said.verb !== 'file') return unexpected(said.verb);
      const pieces: Buffer[] = [];
      if (!(await talk.bytes(Number(said.words[0]), PATIENCE_MS, (piece) => void pieces.push(piece))))
        return ended({ kind: 'lost', why: talk.lost() });
      const bytes = Uint8Array.from(Buffer.concat(pieces));
      if (names.has(name)) files.push({ name, bytes });
      else meta[name.slice(0, -'.meta.json'.length)] = bytes;
    }
  });
}

/** The stored output of an ended attempt, masked. */
export async function readAttemptLog(
  place: AttemptPlace,
  fromOffset: number,
  redaction: Redaction,
  sink: Pick<RunSink, 'log'>,
): Promise<{ readonly kind: 'read'; readonly logSize: number } | Blocked> {
  const offset = Math.max(0, fromOffset - OVERLAP);
  const log = new MaskedLog(createRedactor(redaction), offset, fromOffset, sink);
  return ask(place, 'read-log', { offset }, async (talk) => {
    for (;;) {
      const said = await talk.next(PATIENCE_MS);
      if (said.kind !== 'line') return ended(said);
      if (said.verb === 'data') {
        if (!(await talk.bytes(Number(said.words[0]), PATIENCE_MS, (piece) => log.take(piece))))
          return ended({ kind: 'lost', why: talk.lost() });
        continue;
      }
      await log.end();
      // A folder that is gone has nothing to read any more.
      return { kind: 'read', logSize: said.verb === 'read' ? Number(said.words[0]) : fromOffset };
    }
  });
}

/** Removes what an attempt left on its host. */
export async function forgetAttempt(place: AttemptPlace): Promise<{ readonly kind: 'forgotten' } | Blocked> {
  return ask(place, 'forget', {}, async (talk) => {
    const said = await talk.next(PATIENCE_MS);
    if (said.kind !== 'line') return ended(said);
    return said.verb === 'forgotten' ? { kind: 'forgotten' } : unexpected(said.verb);
  });
}

const META_LIMIT = 65_536;

async function ask<T>(
  place: AttemptPlace,
  verb: HostVerb,
  header: Readonly<Record<string, string | number>>,
  listen: (talk: Conversation) => Promise<T | Blocked>,
): Promise<T | Blocked> {
  const { host, link, ref } = place;
  const question = {
    verb,
    use: 'short',
    elevation: 'able',
    runRoot: ref.runRoot,
    header: { ...attemptHeader(ref), nonce: randomBytes(6).toString('hex'), ...header },
  } as const;
  const talk = await converse(host, link, question, place.answerTimeoutMs);
  if (talk.kind === 'blocked') return talk;
  try {
    return await listen(talk);
  } finally {
    talk.close();
  }
}

function ended(said: Exclude<Said, { kind: 'line' }>): Blocked {
  return said.kind === 'blocked'
    ? said.blocked
    : { kind: 'blocked', reason: reason('unreachable', { detail: said.why }) };
}

function unexpected(verb: string): never {
  throw new CapstanError('host_protocol', `a host program said ${JSON.stringify(verb)}`);
}

function checkedOutput(name: string): string {
  if (!/^[A-Za-z0-9_][A-Za-z0-9._@:+=-]{0,127}$/.test(name))
    throw new CapstanError('invalid_file_name', `not the name of an output: ${JSON.stringify(name)}`);
  return name;
}
