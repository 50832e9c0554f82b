import type { Sessions } from '@capstan/engine';
import { createAuthenticate } from './authenticate.js';
import type { HttpParts } from './http.js';
import { createIdentify } from './identify.js';
import { sessionCookie } from './session-cookie.js';

/** A front door for tests that knows one token, with its sessions in memory; they never end by themselves. */
export function memoryDoor(
  token: string,
  publicOrigins: readonly string[] = [],
): Pick<HttpParts, 'identify' | 'signIn' | 'publicOrigins'> {
  const sessions = memorySessions();
  const cookie = sessionCookie(4400, publicOrigins);
  const authenticate = createAuthenticate({
    save: () => Promise.resolve(),
    verify: (given) => Promise.resolve(given === token ? 'start' : null),
  });
  const identify = createIdentify({ authenticate, sessions, cookie, publicOrigins });
  return {
    identify,
    signIn: { sessions, identify, cookie, publicOrigins, baseUrl: 'http://127.0.0.1:4400/' },
    publicOrigins,
  };
}

function memorySessions(): Sessions {
  const codes = new Map<string, string>();
  const open = new Map<string, string>();
  return {
    async addCode(code, subject) {
      codes.set(code, subject);
    },
    async tradeCode(code, session) {
      const subject = codes.get(code);
      if (subject === undefined || !codes.delete(code)) return null;
      open.set(session, subject);
      return { subject };
    },
    async find(session) {
      const subject = open.get(session);
      return subject === undefined ? null : { subject };
    },
    async end(session) {
      open.delete(session);
    },
  };
}
