import type { IncomingMessage } from 'node:http';

/** The part of a request by which it is judged. */
export type HeadersOf = Pick<IncomingMessage, 'headers'>;

/** A place from which a page of ours may have come, such as `https://capstan.example`. */
export type Origin = string;

// check-allow localhost: a name that people type; nothing connects to it
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Whether the request's `Origin` is a page of this server: one of `publicOrigins`, or, where none is configured, the very
 * address that was asked, if that is a loopback literal. The `Host` of any other name may be one that somebody pointed here.
 */
export function isOwnOrigin(request: HeadersOf, publicOrigins: readonly Origin[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return false;
  if (publicOrigins.length > 0) return publicOrigins.includes(origin);
  return host !== undefined && isLoopbackHost(host) && origin === `http://${host.toLowerCase()}`;
}

/** Where a page that is asked for now may open its WebSocket; null when the address is none of ours. */
export function webSocketOrigin(request: HeadersOf, publicOrigins: readonly Origin[]): string | null {
  const host = (request.headers.host ?? '').toLowerCase();
  const configured = publicOrigins.find((origin) => new URL(origin).host === host);
  if (configured) return configured.replace(/^http/, 'ws');
  return publicOrigins.length === 0 && isLoopbackHost(host) ? `ws://${host}` : null;
}

/** Said to a person; the page shows it instead of trying for ever. */
export const WRONG_ORIGIN =
  'this page was opened under an address that the server does not expect: open the one it printed, or name this one in CAPSTAN_PUBLIC_URL';

function isLoopbackHost(host: string): boolean {
  const name = /^(\[[0-9a-f:]+\]|[^:]+)(?::\d{1,5})?$/.exec(host.toLowerCase())?.[1];
  return name !== undefined && LOOPBACK.has(name);
}
