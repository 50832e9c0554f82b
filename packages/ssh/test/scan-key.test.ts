import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { scanKey } from '../src/scan-key.js';
import { sandboxHost } from './host-fixture.js';

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  return address.port;
}

test('[C39] the key that an address shows is read without logging in, and is the one of its host', async (t) => {
  const box = await sandboxHost(t);
  const scanned = await box.hosts.scanKey('127.0.0.1', box.host.port);
  assert.deepEqual(scanned, {
    kind: 'scanned',
    fingerprint: box.host.hostKeyFingerprint,
    keyType: 'ssh-ed25519',
  });
});

test('[L11] where nobody listens, or nobody speaks SSH, the answer says so in time', async (t) => {
  const silent = createServer();
  const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const [silentPort, otherPort] = [await listening(silent), await listening(other)];
  const sockets = new Set<{ destroy(): void }>();
  silent.on('connection', (socket) => sockets.add(socket));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
    other.close();
  });
  const closed = createServer();
  const closedPort = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  const began = performance.now();
  for (const port of [closedPort, silentPort, otherPort]) {
    const answer = await scanKey('127.0.0.1', port, 500);
    assert.ok(answer.kind === 'blocked' && answer.reason.code === 'unreachable', `${port}`);
    assert.notEqual(answer.reason.args.detail, '');
  }
  assert.ok(performance.now() - began < 2_000);
  const nowhere = await scanKey('nowhere.invalid', 22, 500);
  assert.equal(nowhere.kind, 'blocked');
});
