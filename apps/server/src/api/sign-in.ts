import { randomBytes } from 'node:crypto';
import type { SessionLasts, Sessions } from '@capstan/engine';
import express, { type Request, type Response, Router } from 'express';
import { AttemptLimit } from './attempt-limit.js';
import { type Identify, refuseForeign } from './identify.js';
import type { Origin } from './origin.js';
import { refuse } from './refuse.js';
import type { SessionCookie } from './session-cookie.js';

/** How long a one-time code may be used. */
const CODE_MS = 15 * 60_000;
/** Eight hours without use, a week at most. */
const SESSION: SessionLasts = { idleMs: 8 * 3_600_000, totalMs: 7 * 86_400_000 };
const TRIES_PER_MINUTE = 10;
/** The one person of an installation, until there are accounts. */
const SUBJECT = 'operator';

export interface SignInParts {
  readonly sessions: Sessions;
  readonly identify: Identify;
  readonly cookie: SessionCookie;
  readonly publicOrigins: readonly Origin[];
  /** Address of the pages, ends with `/`. */
  readonly baseUrl: string;
}

/** Makes a code and the link that carries it in its fragment, which reaches no server, log or Referer. */
async function createSignInLink(
  sessions: Pick<Sessions, 'addCode'>,
  baseUrl: string,
): Promise<{ readonly url: string; readonly expiresAt: string }> {
  const code = secret();
  await sessions.addCode(code, SUBJECT, CODE_MS);
  return { url: `${baseUrl}sign-in#${code}`, expiresAt: new Date(Date.now() + CODE_MS).toISOString() };
}

/** `/auth/…`: a code becomes a session, a session ends, and whoever holds a token may make another link. */
export function signInRoutes(parts: SignInParts): Router {
  const router = Router();
  const limit = new AttemptLimit(TRIES_PER_MINUTE);
  const body = express.json({ limit: 4_096, type: 'application/json' });
  router.post('/sign-in', ours(parts), body, async (request, response) => {
    const address = request.socket.remoteAddress ?? '';
    if (!limit.take(address)) {
      response.set('Retry-After', '60');
      return refuse(response, 429, 'RATE_LIMITED', 'too many codes were tried; wait a minute');
    }
    const code = codeOf(request.body);
    const session = secret();
    if (code === null || !(await parts.sessions.tradeCode(code, session, SESSION)))
      return refuse(
        response,
        401,
        'CODE_UNUSABLE',
        'this code was used already, is too old, or never was one',
      );
    limit.giveBack(address);
    const origin = request.headers.origin ?? '';
    response
      .set('Set-Cookie', parts.cookie.give(session, origin, SESSION.totalMs))
      .status(204)
      .end();
  });
  router.post('/sign-out', ours(parts), async (request, response) => {
    const session = parts.cookie.read(request);
    if (session !== null) await parts.sessions.end(session);
    response
      .set('Set-Cookie', [...parts.cookie.take()])
      .status(204)
      .end();
  });
  router.post('/codes', async (request, response) => {
    const identity = await parts.identify(request, 'change');
    // A session must not be able to prolong itself for ever.
    if (identity.kind !== 'known' || identity.by !== 'token') {
      response.set('WWW-Authenticate', 'Bearer');
      return refuse(response, 401, 'UNAUTHENTICATED', 'expected Authorization: Bearer <token>');
    }
    response.json({ data: await createSignInLink(parts.sessions, parts.baseUrl) });
  });
  return router;
}

function ours(parts: SignInParts) {
  return (request: Request, response: Response, next: () => void): void => {
    const refusal = refuseForeign(request, parts.publicOrigins);
    if (refusal) return refuse(response, 403, refusal.code, refusal.message);
    next();
  };
}

function codeOf(body: unknown): string | null {
  const code = (body as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[\w-]{20,128}$/.test(code) ? code : null;
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
