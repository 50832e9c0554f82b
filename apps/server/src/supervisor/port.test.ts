import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { choosePort, listenerOf } from './port.js';

async function occupied(t: { after(act: () => void): void }): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('an explicit port that is taken is refused, naming the process', async (t) => {
  const port = await occupied(t);
  const got = await choosePort('127.0.0.1', { value: port, explicit: true });
  const by = process.platform === 'linux' ? `process ${process.pid}` : 'another process';
  assert.deepEqual(got, {
    kind: 'refused',
    line: `CAPSTAN_PORT=${port} is taken by ${by}: stop it, or choose another port`,
  });
});

test('the default port gives way to the next free one and says so', async (t) => {
  const port = await occupied(t);
  const got = await choosePort('127.0.0.1', { value: port, explicit: false });
  assert.equal(got.kind, 'free');
  if (got.kind !== 'free') return;
  assert.ok(got.port > port);
  assert.match(got.note ?? '', new RegExp(`^Port ${port} is taken.*using ${got.port}`));
});

test('port 0 is any free port', async () => {
  const got = await choosePort('127.0.0.1', { value: 0, explicit: true });
  assert.ok(got.kind === 'free' && got.port > 0 && got.note === null);
});

test('a port on which nobody listens has no holder', async () => {
  const free = await choosePort('127.0.0.1', { value: 0, explicit: true });
  assert.equal(listenerOf(free.kind === 'free' ? free.port : 1), null);
});
