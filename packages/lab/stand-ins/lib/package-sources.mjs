/** The mirrors of a host: /etc/apt as Debian reads it, and whether each can be reached. */
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hostPath, isThere, world } from './world.mjs';

/** What a host without a sources.list uses; nothing is ever fetched from it. */
const DEFAULT = { url: 'http://mirror.lab.invalid/debian', suite: 'bookworm' };

/** `{url, suite}` of each source. */
export function readSources() {
  const folder = hostPath('/etc/apt/sources.list.d');
  const files = [
    hostPath('/etc/apt/sources.list'),
    ...(isThere(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.list'))
          .map((name) => join(folder, name))
      : []),
  ].filter((file) => isThere(file));
  if (files.length === 0) return [DEFAULT];
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  return lines.flatMap((line) => {
    const match = /^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)/.exec(line);
    return match === null ? [] : [{ url: match[1].replace(/\/$/, ''), suite: match[2] }];
  });
}

/**
 * Why a mirror cannot be reached, or undefined. A loopback address is really tried; any other counts as there, unless
 * the file `fail/mirror` in the state folder names the beginning of its URL.
 */
export async function reachable(url) {
  const { hostname, port } = new URL(url);
  const blocked = join(world.state, 'fail', 'mirror');
  if (isThere(blocked) && url.startsWith(readFileSync(blocked, 'utf8').trim())) {
    return `Could not connect to ${hostname}:${port || 80} (${hostname}), connection timed out`;
  }
  if (!hostname.startsWith('127.')) return undefined;
  return await new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 80) });
    socket.setTimeout(3000, () => socket.destroy(new Error('connection timed out')));
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error) => {
      const why = error.code === 'ECONNREFUSED' ? 'connect (111: Connection refused)' : error.message;
      resolve(`Could not connect to ${hostname}:${port || 80} (${hostname}). - ${why}`);
    });
  });
}
