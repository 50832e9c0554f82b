import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import ssh2, { type Client } from 'ssh2';
import { requireSuite } from '../../../scripts/suites.mjs';
import type { DebianHost } from '../src/debian/debian-host.js';
import type { DebianLabName } from '../src/debian/debian-lab.js';
import { whyNoDebianHosts } from '../src/debian/machine-support.js';
import { fingerprintOf } from '../src/keys.js';

/** Whether tests that boot Debian hosts may be registered here. */
export async function debianSuite(): Promise<boolean> {
  const reason = await whyNoDebianHosts();
  return requireSuite('debian', reason === undefined, reason ?? '', 'root on Debian Linux');
}

/** A lab of this test alone, over the packages and the base system that all labs of the machine share. */
export function labName(): Required<DebianLabName> {
  return { cache: labCache(), instance: `t${randomBytes(4).readUInt32BE().toString(36).slice(-5)}` };
}

function labCache(): string {
  return process.env.CAPSTAN_LAB_CACHE || '/var/cache/capstan-lab';
}

/** An SSH connection to a host that has shown the key it was announced with; fails after `ms`. */
export function logInTo(host: DebianHost, ms = 10_000): Promise<Client> {
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.on('error', reject); // stays: a test may cut the link later, which then changes nothing
    client.once('ready', () => resolve(client));
    client.connect({
      host: host.address,
      port: host.port,
      username: host.user,
      privateKey: readFileSync(host.keyFile),
      readyTimeout: ms,
      hostVerifier: (key: Buffer) =>
        fingerprintOf(`ssh-ed25519 ${key.toString('base64')}`) === host.hostKeyFingerprint,
    });
  });
}
