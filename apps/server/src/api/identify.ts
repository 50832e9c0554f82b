import type { Sessions } from '@capstan/engine';
import type { Actor } from '@capstan/model';
import { type HeadersOf, isOwnOrigin, type Origin, WRONG_ORIGIN } from './origin.js';
import type { SessionCookie } from './session-cookie.js';

/** A header that no form can send; its value means nothing. */
const CSRF_HEADER = 'x-capstan-csrf';

/** What a request wants. A socket only reads too, once its Origin was looked at. */
export type Wish = 'change' | 'read';

export type Identity =
  | { readonly kind: 'known'; readonly actor: Actor; readonly by: 'token' | 'session' }
  /** No token and no session that is good. */
  | { readonly kind: 'unknown' }
  /** A session that this request must not use. */
  | {
      readonly kind: 'refused';
      readonly code: 'WRONG_ORIGIN' | 'CSRF_HEADER_MISSING';
      readonly message: string;
    };

/** Tells who sends a request, by its bearer token or by the session in its cookie. */
export type Identify = (request: HeadersOf, wish: Wish) => Promise<Identity>;

export interface IdentifyParts {
  /** The actor of an `Authorization` header. */
  readonly authenticate: (header: string | undefined) => Promise<Actor | null>;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly cookie: SessionCookie;
  readonly publicOrigins: readonly Origin[];
}

/**
 * A request with an `Authorization` header is judged by it alone. A cookie counts for more than reading only from a page of
 * ours: browsers send it along whoever asked.
 */
export function createIdentify(parts: IdentifyParts): Identify {
  return async (request, wish) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const actor = await parts.authenticate(authorization);
      return actor === null ? { kind: 'unknown' } : { kind: 'known', actor, by: 'token' };
    }
    const session = parts.cookie.read(request);
    if (session === null) return { kind: 'unknown' };
    if (wish === 'change') {
      const refusal = refuseForeign(request, parts.publicOrigins);
      if (refusal) return refusal;
    }
    const found = await parts.sessions.find(session);
    if (found === null) return { kind: 'unknown' };
    return { kind: 'known', actor: { kind: 'human', id: found.subject }, by: 'session' };
  };
}

/** The refusal of a request that a page of ours would not have sent so; null when it may pass. */
export function refuseForeign(
  request: HeadersOf,
  publicOrigins: readonly Origin[],
): Extract<Identity, { kind: 'refused' }> | null {
  if (!isOwnOrigin(request, publicOrigins))
    return { kind: 'refused', code: 'WRONG_ORIGIN', message: WRONG_ORIGIN };
  if (request.headers[CSRF_HEADER] === undefined)
    return {
      kind: 'refused',
      code: 'CSRF_HEADER_MISSING',
      message: `a request with a cookie needs the header ${CSRF_HEADER}`,
    };
  return null;
}
