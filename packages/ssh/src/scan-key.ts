import type { Blocked, ScannedKey } from '@capstan/engine';
import { reason } from '@capstan/model';
import ssh2, { type ServerHostKeyAlgorithm } from 'ssh2';
import { fingerprintOf, HOST_KEY_KINDS } from './host-key.js';

/** Asks for the best host key that an address has, and ends the connection inside the key exchange: nobody logs in. */
export function scanKey(address: string, port: number, timeoutMs: number): Promise<ScannedKey | Blocked> {
  return new Promise((resolve) => {
    const client = new ssh2.Client();
    let scanned: ScannedKey | null = null;
    let said = 'the host closed the connection';
    // The library's own limit begins with its connection, not with the search for the address.
    const timer = setTimeout(() => {
      said = `no answer from ${address}:${port} within ${timeoutMs} ms`;
      client.destroy();
      settle();
    }, timeoutMs);
    const settle = (): void => {
      clearTimeout(timer);
      resolve(scanned ?? { kind: 'blocked', reason: reason('unreachable', { detail: said }) });
    };
    client.on('error', (error) => {
      said = error.message || said;
    });
    client.once('close', settle);
    client.connect({
      host: address,
      port,
      username: 'capstan',
      readyTimeout: timeoutMs,
      algorithms: { serverHostKey: HOST_KEY_KINDS.flat() as ServerHostKeyAlgorithm[] },
      hostVerifier: (key: Buffer) => {
        const keyType = key.toString('latin1', 4, 4 + key.readUInt32BE(0));
        scanned = { kind: 'scanned', fingerprint: fingerprintOf(key), keyType };
        return false;
      },
    });
  });
}
