import type { Intent } from '@capstan/model';

/**
 * The provider that a person named for a requirement or a capability, in `constraints.providers`: the answer to a
 * `needs_choice` until choices are gates.
 */
export function chosenProvider(intent: Intent, name: string): string | null {
  const { providers } = intent.constraints;
  if (
    providers === undefined ||
    providers === null ||
    typeof providers !== 'object' ||
    Array.isArray(providers)
  )
    return null;
  const wish = Object.hasOwn(providers, name) ? providers[name] : undefined;
  return typeof wish === 'string' ? wish : null;
}
