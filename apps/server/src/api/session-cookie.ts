import type { HeadersOf, Origin } from './origin.js';

/** The cookie of the session. Cookies ignore ports, so two servers on one machine need two names. */
export interface SessionCookie {
  /** The session's secret in the request; null without one. */
  read(request: HeadersOf): string | null;
  /** The value of `Set-Cookie` that gives it to a page of `origin`. */
  give(session: string, origin: Origin, maxAgeMs: number): string;
  /** The values of `Set-Cookie` that take it back. */
  take(): readonly string[];
}

/** With only https addresses just the `__Host-` name counts: a cookie set over plain http could not be told from ours. */
export function sessionCookie(port: number, publicOrigins: readonly Origin[]): SessionCookie {
  const plain = `capstan_${port}`;
  const secure = '__Host-capstan';
  const isHttps = (origin: Origin): boolean => origin.startsWith('https://');
  const onlyHttps = publicOrigins.length > 0 && publicOrigins.every(isHttps);
  const names = onlyHttps ? [secure] : [secure, plain];
  return {
    read(request) {
      const given = new Map(
        (request.headers.cookie ?? '').split(';').map((part) => {
          const at = part.indexOf('=');
          return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
        }),
      );
      const found = names.map((name) => given.get(name)).find((value) => value !== undefined);
      return found !== undefined && /^[\w-]{20,128}$/.test(found) ? found : null;
    },
    give(session, origin, maxAgeMs) {
      const rest = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
      return isHttps(origin) ? `${secure}=${session}; Secure; ${rest}` : `${plain}=${session}; ${rest}`;
    },
    take: () => [
      `${plain}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`,
      `${secure}=; Secure; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`,
    ],
  };
}
