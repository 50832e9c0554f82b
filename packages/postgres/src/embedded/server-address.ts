import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CapstanError } from '@capstan/model';
import type { ServerIdentity } from './server-identity.js';
import { canEnter } from './server-identity.js';

/** Where the server listens: a socket in a closed folder, or the loopback address where no such folder can be. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** To be removed at the end; null for the loopback address. */
  readonly socketFolder: string | null;
}

/** Longest path of a socket: 107 bytes on Linux, 103 on macOS. */
const SOCKET_LIMIT = 100;
const SOCKET_PORT = 5432;

/** Chooses the address. `parent` is where the socket's folder is made. */
export async function serverAddress(identity: ServerIdentity, parent = tmpdir()): Promise<ServerAddress> {
  const closed = join(parent, 'capstan-XXXXXX');
  const path = join(closed, `.s.PGSQL.${SOCKET_PORT}`);
  // A user who cannot enter the folder for temporary files cannot have a socket there either.
  if (Buffer.byteLength(path) > SOCKET_LIMIT || (identity.user.uid !== undefined && !canEnter(parent))) {
    return { host: '127.0.0.1', port: await freePort(), socketFolder: null };
  }
  const folder = mkdtempSync(join(parent, 'capstan-'));
  if (identity.owner !== null) chownSync(folder, identity.owner, identity.owner);
  return { host: folder, port: SOCKET_PORT, socketFolder: folder };
}

/** Removes what {@link serverAddress} made. */
export function releaseAddress(address: ServerAddress): void {
  if (address.socketFolder) rmSync(address.socketFolder, { recursive: true, force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      if (address === null || typeof address === 'string')
        throw new CapstanError('no_port', 'a listener without a port');
      probe.close(() => resolve(address.port));
    });
  });
}
