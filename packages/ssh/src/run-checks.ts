import { createHash, randomBytes } from 'node:crypto';
import type { Blocked, CheckAnswer, CheckCall, HostConnection } from '@capstan/engine';
import { reason } from '@capstan/model';
import { converse } from './conversation.js';
import type { HostLink } from './host-link.js';
import { checkArchive, checkedPath, checkedUser } from './program-files.js';
import { seconds } from './run-attempt.js';

/**
 * Asks all questions of a host in one round trip; they run beside each other. Those as the login user never need sudo, so
 * that a host without sudo can still say so.
 */
export async function runChecks(
  host: HostConnection,
  link: HostLink,
  answerTimeoutMs: number,
  calls: readonly CheckCall[],
  signal: AbortSignal,
): Promise<{ readonly kind: 'answered'; readonly answers: readonly CheckAnswer[] } | Blocked> {
  const own = calls.filter((call) => call.program.as === 'login');
  const others = calls.filter((call) => call.program.as !== 'login');
  const answers: CheckAnswer[] = [];
  const groups = [
    { calls: own, elevation: 'never' as const },
    { calls: others, elevation: 'must' as const },
  ].filter((group) => group.calls.length > 0);
  const refusals = await Promise.all(
    groups.map((group) =>
      askGroup(host, link, answerTimeoutMs, group, signal, (answer) => answers.push(answer)),
    ),
  );
  return refusals.find((refusal) => refusal !== null) ?? { kind: 'answered', answers };
}

const SHOWN_BYTES = 262_144;
const PATIENCE_MS = 60_000;

async function askGroup(
  host: HostConnection,
  link: HostLink,
  answerTimeoutMs: number,
  group: { readonly calls: readonly CheckCall[]; readonly elevation: 'never' | 'must' },
  signal: AbortSignal,
  answered: (answer: CheckAnswer) => void,
): Promise<Blocked | null> {
  const { calls, elevation } = group;
  const files = checkArchive(calls.map((call) => call.program));
  const header = {
    nonce: randomBytes(6).toString('hex'),
    ...(host.secretRoot === null ? {} : { vaults: checkedPath(host.secretRoot) }),
  };
  const question = {
    verb: 'check',
    use: 'short',
    elevation,
    runRoot: host.runRoot ?? '',
    header,
    signal,
  } as const;
  const talk = await converse(host, link, question, answerTimeoutMs);
  if (talk.kind === 'blocked') return talk;
  const longest = Math.max(...calls.map((call) => call.program.timeoutMs)) + PATIENCE_MS;
  try {
    for (;;) {
      const said = await talk.next(longest);
      if (said.kind === 'blocked') return said.blocked;
      if (said.kind === 'lost') return unreachable(said.why);
      if (said.verb === 'answered') return null;
      if (said.verb === 'need') {
        await talk.sendCounted('folder', files);
        const lines = calls.map(
          ({ program }) => `call ${checkedUser(program.as)} ${seconds(program.timeoutMs)}\n`,
        );
        await talk.send(lines.join(''));
        await talk.send('go\n');
        continue;
      }
      const [number, code, stopped, outSize, errSize] = said.words;
      const hash = createHash('sha256');
      const stdout = new Shown();
      const stderr = new Shown();
      for (const [shown, size] of [
        [stdout, outSize],
        [stderr, errSize],
      ] as const) {
        const whole = await talk.bytes(Number(size), PATIENCE_MS, (piece) => {
          hash.update(piece);
          shown.add(piece);
        });
        if (!whole) return unreachable(talk.lost());
      }
      answered({
        id: (calls[Number(number) - 1] as CheckCall).id,
        exitCode: Number(code),
        timedOut: stopped === 'yes',
        stdout: stdout.bytes(),
        stderr: stderr.bytes(),
        rawHash: hash.digest('hex'),
      });
    }
  } finally {
    talk.close();
  }
}

/** The first 256 KiB of a stream. */
class Shown {
  #pieces: Buffer[] = [];
  #size = 0;

  add(piece: Buffer): void {
    const part = piece.subarray(0, SHOWN_BYTES - this.#size);
    this.#size += part.length;
    if (part.length > 0) this.#pieces.push(part);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(Buffer.concat(this.#pieces));
  }
}

function unreachable(detail: string): Blocked {
  return { kind: 'blocked', reason: reason('unreachable', { detail }) };
}
