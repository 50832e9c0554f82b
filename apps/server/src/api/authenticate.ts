import { createHash } from 'node:crypto';
import type { Tokens } from '@capstan/engine';
import type { Actor } from '@capstan/model';

const REMEMBERED_MS = 10_000;
const REMEMBERED = 1_000;

/**
 * Who sends this `Authorization` header; null for no header, another scheme, or an unknown token. A good token is
 * remembered by its hash for 10 s: a client that polls must not cost a query each time.
 */
export function createAuthenticate(tokens: Tokens, now: () => number = Date.now) {
  const known = new Map<string, { actor: Actor; until: number }>();
  return async (header: string | undefined): Promise<Actor | null> => {
    const token = /^bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? '')?.[1];
    if (token === undefined) return null;
    const key = createHash('sha256').update(token).digest('base64');
    const remembered = known.get(key);
    if (remembered && remembered.until > now()) return remembered.actor;
    known.delete(key);
    const name = await tokens.verify(token);
    if (name === null) return null;
    const actor: Actor = { kind: 'token', id: name };
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, { actor, until: now() + REMEMBERED_MS });
    return actor;
  };
}
