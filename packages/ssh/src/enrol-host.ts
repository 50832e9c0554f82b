import type { Blocked, HostConnection, HostEnrolment } from '@capstan/engine';
import { reason } from '@capstan/model';
import { converse } from './conversation.js';
import type { HostLink } from './host-link.js';
import { checkedPath } from './program-files.js';

/** Chooses where attempts and secrets lie on a host, or makes sure of the places it has, and learns which host it is. */
export async function enrolHost(
  host: HostConnection,
  link: HostLink,
  answerTimeoutMs: number,
): Promise<HostEnrolment | Blocked> {
  const header = {
    ...(host.runRoot === null ? {} : { root: checkedPath(host.runRoot) }),
    ...(host.secretRoot === null ? {} : { vaults: checkedPath(host.secretRoot) }),
  };
  const question = {
    verb: 'enrol',
    use: 'short',
    elevation: host.runRoot === null ? 'try' : 'own',
    runRoot: host.runRoot ?? '',
    header,
  } as const;
  const talk = await converse(host, link, question, answerTimeoutMs);
  if (talk.kind === 'blocked') return talk;
  try {
    const said = await talk.next(PATIENCE_MS);
    if (said.kind === 'blocked') return said.blocked;
    const text = said.kind === 'line' ? await talk.text(Number(said.words[0]), PATIENCE_MS) : null;
    if (text === null)
      return {
        kind: 'blocked',
        reason: reason('unreachable', { detail: said.kind === 'lost' ? said.why : talk.lost() }),
      };
    const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
    return {
      kind: 'enrolled',
      runRoot: value('root'),
      secretRoot: value('vaults'),
      incarnation: value('incarnation'),
      machineId: value('machine'),
    };
  } finally {
    talk.close();
  }
}

const PATIENCE_MS = 60_000;
