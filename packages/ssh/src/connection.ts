import { connect as connectSocket, type Socket } from 'node:net';
import type { HostConnection } from '@capstan/engine';
import { type Reason, reason } from '@capstan/model';
import ssh2, { type Client, type ServerHostKeyAlgorithm } from 'ssh2';
import { fingerprintOf, HOST_KEY_KINDS, type HostKeyKind, kindOf, sameFingerprint } from './host-key.js';

export interface ConnectOptions {
  readonly credentials: (ref: string) => Promise<string>;
  readonly keepaliveMs: number;
  readonly keepaliveCount: number;
  readonly readyTimeoutMs: number;
}

/** `again`: the host closed before it said who it is (too many at the door, a restart): trying once more may help. */
export type ConnectResult =
  | {
      readonly kind: 'connected';
      readonly client: Client;
      readonly socket: Socket;
      readonly keyKind: HostKeyKind | null;
    }
  | { readonly kind: 'refused'; readonly reason: Reason; readonly again: boolean };

/**
 * Opens a connection whose host key is the pinned one. An unknown or changed key ends it inside the key exchange, before
 * one byte of authentication is sent (C39).
 */
export async function connectHost(
  host: HostConnection,
  options: ConnectOptions,
  known: HostKeyKind | null,
  signal: AbortSignal,
): Promise<ConnectResult> {
  let privateKey: string;
  try {
    privateKey = await options.credentials(host.credential);
  } catch (error) {
    return refused(
      reason('auth_failed', { detail: `the key of ${host.name} cannot be read here: ${words(error)}` }),
    );
  }
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) {
    return refused(reason('auth_failed', { detail: `the private key cannot be used: ${parsed.message}` }));
  }
  const first = await tryKinds(host, options, privateKey, known, signal);
  if (first.kind !== 'other_key') return first;
  if (host.hostKeyFingerprint === null)
    return refused(reason('host_key_unknown', { offered: first.offered }));
  for (const kind of HOST_KEY_KINDS) {
    if (kind === first.shown) continue;
    const next = await tryKinds(host, options, privateKey, kind, signal);
    if (next.kind === 'connected') return next;
    if (next.kind === 'refused' && next.again) return next;
  }
  return refused(reason('host_key_changed', { expected: host.hostKeyFingerprint, offered: first.offered }));
}

type Attempt =
  | ConnectResult
  | { readonly kind: 'other_key'; readonly offered: string; readonly shown: HostKeyKind | null };

const ALGORITHMS = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
    'diffie-hellman-group14-sha256',
  ],
  // GCM runs in OpenSSL; ChaCha20 is the library's own and much slower.
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'chacha20-poly1305@openssh.com',
    'aes256-ctr',
    'aes128-ctr',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} as const;

async function tryKinds(
  host: HostConnection,
  options: ConnectOptions,
  privateKey: string,
  only: HostKeyKind | null,
  signal: AbortSignal,
): Promise<Attempt> {
  const deadline = performance.now() + options.readyTimeoutMs;
  const socket = await openSocket(host, options.readyTimeoutMs, signal);
  if ('refused' in socket) {
    return {
      kind: 'refused',
      reason: reason('unreachable', { detail: socket.refused }),
      again: socket.reset,
    };
  }
  const kinds = only === null ? HOST_KEY_KINDS : [only];
  let offered = '';
  let shown: HostKeyKind | null = null;
  const client = new ssh2.Client();
  const outcome = new Promise<Attempt>((resolve) => {
    let failure: (Error & { level?: string; code?: string }) | null = null;
    client.on('error', (error) => {
      failure ??= error;
    });
    const stop = (): void => {
      socket.socket.destroy();
    };
    signal.addEventListener('abort', stop, { once: true });
    client.once('ready', () => {
      signal.removeEventListener('abort', stop);
      resolve({ kind: 'connected', client, socket: socket.socket, keyKind: shown });
    });
    client.once('close', () => {
      signal.removeEventListener('abort', stop);
      const mismatch =
        offered !== '' &&
        !(host.hostKeyFingerprint !== null && sameFingerprint(offered, host.hostKeyFingerprint));
      resolve(mismatch ? { kind: 'other_key', offered, shown } : failed(host, failure, offered !== ''));
    });
  });
  client.connect({
    sock: socket.socket,
    username: host.user,
    privateKey,
    authHandler: ['publickey'],
    hostVerifier: (key: Buffer) => {
      offered = fingerprintOf(key);
      shown = kindOf(key);
      return host.hostKeyFingerprint !== null && sameFingerprint(offered, host.hostKeyFingerprint);
    },
    algorithms: {
      ...(ALGORITHMS as unknown as ssh2.Algorithms),
      serverHostKey: kinds.flat() as ServerHostKeyAlgorithm[],
    },
    keepaliveInterval: options.keepaliveMs,
    keepaliveCountMax: options.keepaliveCount,
    readyTimeout: Math.max(1, deadline - performance.now()),
  });
  return outcome;
}

function failed(
  host: HostConnection,
  failure: (Error & { level?: string; code?: string }) | null,
  sawKey: boolean,
): ConnectResult {
  const said = failure === null ? 'the host closed the connection' : failure.message;
  if (failure?.level === 'client-authentication') {
    return refused(reason('auth_failed', { detail: `${host.user}@${host.address}: ${said}` }));
  }
  // sshd closes at the door when too many wait there (MaxStartups), and while it restarts.
  const atTheDoor =
    !sawKey &&
    (failure === null ||
      failure.level === 'protocol' ||
      failure.code === 'ECONNRESET' ||
      failure.code === 'EPIPE');
  return { kind: 'refused', reason: reason('unreachable', { detail: said }), again: atTheDoor };
}

function refused(why: Reason): { readonly kind: 'refused'; readonly reason: Reason; readonly again: false } {
  return { kind: 'refused', reason: why, again: false };
}

/** Our own socket, because the library leaves Nagle's algorithm on: 4.6 times slower for short commands. */
function openSocket(
  host: HostConnection,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ readonly socket: Socket } | { readonly refused: string; readonly reset: boolean }> {
  return new Promise((resolve) => {
    const socket = connectSocket({ host: host.address, port: host.port, noDelay: true });
    const timer = setTimeout(
      () => give(`no answer from ${host.address}:${host.port} within ${timeoutMs} ms`),
      timeoutMs,
    );
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.removeListener('error', onError);
      // Errors between here and the library's own listener would end the process.
      socket.on('error', () => undefined);
    };
    const give = (why: string, reset = false): void => {
      settle();
      socket.destroy();
      resolve({ refused: why, reset });
    };
    const stop = (): void => give('closed here');
    const onError = (error: NodeJS.ErrnoException): void => give(words(error), error.code === 'ECONNRESET');
    socket.once('error', onError);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    socket.once('connect', () => {
      settle();
      resolve({ socket });
    });
  });
}

function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses that all failed make one error without a message.
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}
