import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { ClientChannel } from 'ssh2';
import { eventually, firstHost, logIn, open, run, said, sandboxFor } from './lab-client.js';

test('the session over the limit gets "open failed", and a closed one makes room', async (t) => {
  const lab = await sandboxFor(t);
  const client = await logIn(lab);
  firstHost(lab).faults.setMaxSessions(2);
  const held: ClientChannel[] = [await open(client, 'cat'), await open(client, 'cat')];
  await assert.rejects(open(client, 'true'), /open failed/);
  held[0]?.end();
  held[0]?.resume();
  assert.ok(
    await eventually(() =>
      open(client, 'true').then(
        () => true,
        () => false,
      ),
    ),
  );
});

test('a silence shorter than the keepalive patience: the same connection goes on and no byte is lost', async (t) => {
  const lab = await sandboxFor(t);
  const client = await logIn(lab, firstHost(lab), { keepaliveInterval: 200, keepaliveCountMax: 5 });
  let dropped = false;
  client.once('close', () => {
    dropped = true;
  });
  const running = run(
    client,
    'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); echo line $i; done; sleep 0.7; echo end',
  );
  firstHost(lab).faults.silence(500);
  const { stdout } = await running;
  const lines = stdout.toString().split('\n');
  assert.deepEqual([lines.length, lines[1999], lines[2000], dropped], [2002, 'line 2000', 'end', false]);
});

test('a longer silence is noticed by keepalive only, what ran goes on, and the host answers afterwards', async (t) => {
  const lab = await sandboxFor(t);
  const host = firstHost(lab);
  const client = await logIn(lab, host, { keepaliveInterval: 100, keepaliveCountMax: 3 });
  await said(client, 'setsid -f sh -c "sleep 1; echo done >/root/effect"');
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  host.faults.silence();
  const before = Date.now();
  await closed;
  assert.ok(Date.now() - before < 3_000);
  await assert.rejects(logIn(lab, host, { readyTimeout: 300 }), /Timed out/);
  host.faults.restoreLink();
  const again = await logIn(lab, host);
  assert.ok(
    await eventually(async () => (await said(again, 'cat /root/effect 2>/dev/null || :')) === 'done'),
  );
});

test('a cut link resets connections and refuses new ones until it is restored', async (t) => {
  const lab = await sandboxFor(t);
  const host = firstHost(lab);
  const client = await logIn(lab);
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  host.faults.cutLink(400);
  await closed;
  await assert.rejects(logIn(lab));
  assert.ok(
    await eventually(() =>
      logIn(lab).then(
        () => true,
        () => false,
      ),
    ),
  );
});

test('[C39] a changed host key is shown to new connections, and a client that pins the old one never authenticates', async (t) => {
  const lab = await sandboxFor(t);
  const host = firstHost(lab);
  const pinned = host.hostKeyFingerprint;
  const verify = { hostHash: 'sha256', hostVerifier: (hex: string) => fingerprint(hex) === pinned } as const;
  await logIn(lab, host, verify);
  const before = host.authenticationRequests;
  host.faults.changeHostKey();
  assert.notEqual(host.hostKeyFingerprint, pinned);
  await assert.rejects(logIn(lab, host, verify), /Host denied/);
  assert.equal(host.authenticationRequests, before);
  const now = host.hostKeyFingerprint;
  await logIn(lab, host, { ...verify, hostVerifier: (hex: string) => fingerprint(hex) === now });
});

test('a closed host refuses connections at once', async (t) => {
  const lab = await sandboxFor(t);
  const host = firstHost(lab);
  await host.faults.close();
  const error = await new Promise<NodeJS.ErrnoException>((resolve) =>
    connect(host.port, host.address).once('error', resolve),
  );
  assert.equal(error.code, 'ECONNREFUSED');
});

function fingerprint(hex: string): string {
  return `SHA256:${Buffer.from(hex, 'hex').toString('base64').replace(/=+$/, '')}`;
}
