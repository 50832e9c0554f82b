import type { Actor, Problem } from '@capstan/model';
import { text } from '@capstan/model';

export type Verb = 'view' | 'plan' | 'run' | 'reveal' | 'manage_hosts' | 'manage_packs' | 'maintain';

/** Whether this actor may do this to this object; a problem says what is missing and who can. The one such point of every use case. */
export type Authorize = (actor: Actor, verb: Verb, object: string) => Promise<Problem | null>;

/** Everything is allowed: people and rights are not built yet, and nothing listens beyond loopback before they are. */
export const allowAll: Authorize = () => Promise.resolve(null);

/** The refusal of {@link Authorize}: the permission that is missing, and who has it (L11). */
export function notAllowed(actor: Actor, verb: Verb, whoCan: readonly string[]): Problem {
  return {
    code: 'not_allowed',
    text: text('rights.missing', {
      actor: `${actor.kind}:${actor.id}`,
      permission: verb,
      whoCan: whoCan.join(', '),
    }),
  };
}
