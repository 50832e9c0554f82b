import type { Database } from '@capstan/postgres';
import { createAuthenticate } from '../api/authenticate.js';
import type { HttpParts } from '../api/http.js';
import { createIdentify } from '../api/identify.js';
import { isOwnOrigin } from '../api/origin.js';
import { sessionCookie } from '../api/session-cookie.js';
import { baseUrl, type RoleConfig } from '../config.js';
import type { LiveParts } from './live.js';

/** Who may come in, decided in one place for requests, downloads and sockets. */
export interface Door {
  readonly http: Pick<HttpParts, 'identify' | 'signIn' | 'publicOrigins'>;
  readonly live: Pick<LiveParts, 'authenticate' | 'allowOrigin'>;
}

export function openDoor(config: RoleConfig, { tokens, sessions }: Database): Door {
  const { publicOrigins } = config;
  const cookie = sessionCookie(config.port.value, publicOrigins);
  const authenticate = createAuthenticate(tokens);
  const identify = createIdentify({ authenticate, sessions, cookie, publicOrigins });
  return {
    http: {
      identify,
      signIn: { sessions, identify, cookie, publicOrigins, baseUrl: baseUrl(config, config.port.value) },
      publicOrigins,
    },
    live: {
      async authenticate(request) {
        const identity = await identify(request, 'read');
        return identity.kind === 'known' ? identity.actor : null;
      },
      // A program sends no Origin: it has to say a token.
      allowOrigin: (request) => request.headers.origin === undefined || isOwnOrigin(request, publicOrigins),
    },
  };
}
