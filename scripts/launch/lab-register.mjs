import { join } from 'node:path';
import { repositoryRoot } from './repository.mjs';
import { runTool } from './run-tool.mjs';

const environment = 'lab-debian';

/**
 * Adds the hosts to the running server over its API, as an operator would; a lab host that comes back with
 * another key is accepted, because the lab made the key itself. Gives whether a server is up that knows them all.
 */
export async function registerHosts(hosts) {
  const listed = await capstan(['host', 'list', '--json']);
  if (listed.code !== 0) {
    console.error('No server is running: the hosts are registered by the next `up` while one is.');
    return false;
  }
  const known = new Map(JSON.parse(listed.stdout).hosts.map((host) => [host.name, host]));
  let all = true;
  for (const host of hosts) all = (await registerOne(host, known.get(host.name))) && all;
  return all;
}

async function registerOne(host, known) {
  if (!known) {
    return said(
      await capstan([
        ...['host', 'add', host.name, '--address', host.address, '--port', String(host.port)],
        ...['--user', host.user, '--key', host.keyFile, '--host-key', host.hostKeyFingerprint],
        ...['--environment', environment],
      ]),
    );
  }
  if (known.environment !== environment || known.address !== host.address) {
    console.error(`${host.name} is known as ${known.address} in ${known.environment}: it stays out.`);
    return false;
  }
  if (known.hostKeyFingerprint === host.hostKeyFingerprint) return true;
  return said(await capstan(['host', 'accept-key', host.name, host.hostKeyFingerprint]));
}

function said(end) {
  if (end.code !== 0) console.error(end.stderr.trimEnd());
  return end.code === 0;
}

/** `capstan …` against the server of this checkout's data folder. */
function capstan(args) {
  return runTool(process.execPath, [join(repositoryRoot, 'bin/capstan.mjs'), ...args], repositoryRoot);
}
