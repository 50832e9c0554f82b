import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempt, bundle, check, Recorder, runToEnd, sandboxHost } from './host-fixture.js';

const never = new AbortController().signal;

test('[C13] a link that falls silent is noticed by keepalives; the attempt goes on and is attached to again', async (t) => {
  const box = await sandboxHost(t, { keepaliveMs: 300, keepaliveCount: 3 });
  const what = bundle(
    attempt(box.host),
    'echo ran >>"$HOME/ledger"; for n in 1 2 3 4 5 6 7 8; do echo "line $n"; sleep 0.3; done; wc -l <"$HOME/ledger"',
  );
  const log = new Recorder();
  const following = box.hosts.run(box.host, what, 0, log, never);
  await log.until((seen) => seen.text.includes('line 1'));
  const cut = performance.now();
  box.box.faults.silence();
  const result = await following;
  assert.ok(result.kind === 'link_lost' && result.reason.code === 'disconnected');
  assert.ok(performance.now() - cut < 5 * 300 + 1_000, `noticed after ${performance.now() - cut} ms`);
  const meanwhile = await box.another({ readyTimeoutMs: 400 }).probe(box.host, what.ref);
  assert.ok(meanwhile.kind === 'blocked' && meanwhile.reason.code === 'unreachable');
  box.box.faults.restoreLink();
  const end = await runToEnd(box, what, log);
  assert.equal(end.result.kind, 'exited');
  assert.equal(log.text, `${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `line ${n}\n`).join('')}1\n`);
});

test('[C13] a silence shorter than the patience: the same connection goes on', async (t) => {
  const box = await sandboxHost(t, { keepaliveMs: 500, keepaliveCount: 3 });
  const log = new Recorder();
  const following = runToEnd(
    box,
    bundle(attempt(box.host), 'for n in 1 2 3 4; do echo "line $n"; sleep 0.3; done'),
    log,
  );
  await log.until((seen) => seen.text.includes('line 1'));
  const asked = box.box.authenticationRequests;
  box.box.faults.silence(700);
  assert.equal((await following).result.kind, 'exited');
  assert.equal(log.starts, 1);
  assert.equal(box.box.authenticationRequests, asked);
});

test('[C13] a reset link and a host that refuses are told as such, and healed by the next call', async (t) => {
  const box = await sandboxHost(t);
  const log = new Recorder();
  const what = bundle(attempt(box.host), 'echo up; sleep 1; echo end');
  const following = box.hosts.run(box.host, what, 0, log, never);
  await log.until((seen) => seen.text === 'up\n');
  box.box.faults.cutLink();
  assert.equal((await following).kind, 'link_lost');
  const refused = await box.hosts.probe({ ...box.host, port: 1 }, what.ref);
  assert.ok(
    refused.kind === 'blocked' &&
      refused.reason.code === 'unreachable' &&
      String(refused.reason.args.detail).includes('ECONNREFUSED'),
  );
  setTimeout(() => box.box.faults.restoreLink(), 700);
  // Resets at the door are tried again and count for nothing (C14).
  assert.equal((await runToEnd(box, what, log)).result.kind, 'exited');
  assert.equal(log.text, 'up\nend\n');
});

test('[C39] a changed or unknown host key: both fingerprints are told and not one authentication request arrives', async (t) => {
  const box = await sandboxHost(t);
  const before = box.host.hostKeyFingerprint;
  box.box.faults.changeHostKey();
  const asked = box.box.authenticationRequests;
  const fresh = box.another();
  const ref = attempt(box.host);
  const changed = [
    await fresh.probe(box.host, ref),
    await fresh.run(box.host, bundle(ref, 'true'), 0, new Recorder(), never),
    await fresh.enrol(box.host),
    await fresh.check(box.host, [check('c', 'true')], never),
  ];
  for (const result of changed) {
    assert.ok(result.kind === 'blocked');
    assert.deepEqual(result.reason, {
      code: 'host_key_changed',
      args: { expected: before, offered: box.box.hostKeyFingerprint },
    });
  }
  const unknown = await fresh.probe({ ...box.host, hostKeyFingerprint: null }, ref);
  assert.ok(unknown.kind === 'blocked');
  assert.deepEqual(unknown.reason, {
    code: 'host_key_unknown',
    args: { offered: box.box.hostKeyFingerprint },
  });
  assert.equal(box.box.authenticationRequests, asked);
  assert.equal(
    (await fresh.probe({ ...box.host, hostKeyFingerprint: box.box.hostKeyFingerprint }, ref)).kind,
    'never_started',
  );
});

test('a key that the host does not take, or that is no key, is auth_failed with words', async (t) => {
  const box = await sandboxHost(t);
  const ref = attempt(box.host);
  const { privateKey } = (await import('node:crypto')).generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  for (const credentials of [
    () => Promise.resolve(privateKey),
    () => Promise.resolve('no key'),
    () => Promise.reject(new Error('the vault is closed')),
  ]) {
    const result = await box.another({ credentials }).probe(box.host, ref);
    assert.ok(
      result.kind === 'blocked' &&
        result.reason.code === 'auth_failed' &&
        String(result.reason.args.detail).length > 10,
      JSON.stringify(result),
    );
  }
});

test('[C14] at most eight channels, two of them kept for short commands: a cancel never queues behind jobs', async (t) => {
  const box = await sandboxHost(t);
  box.box.faults.setMaxSessions(8);
  const refs = Array.from({ length: 9 }, () => attempt(box.host));
  const logs = refs.map(() => new Recorder());
  const running = refs.map((ref, n) =>
    box.hosts.run(
      box.host,
      bundle(ref, 'echo up; while [ ! -e "$HOME/go" ]; do sleep 0.1; done'),
      0,
      logs[n] as Recorder,
      never,
    ),
  );
  await Promise.all(logs.slice(0, 6).map((log) => log.until((seen) => seen.text === 'up\n')));
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual(
    logs.map((log) => log.starts),
    [1, 1, 1, 1, 1, 1, 0, 0, 0],
  );
  assert.deepEqual(await box.hosts.cancel(box.host, refs[0] as (typeof refs)[number], 5_000), {
    kind: 'gone',
  });
  await box.hosts.check(box.host, [check('go', 'touch "$HOME/go"')], never);
  const ends = await Promise.all(running);
  assert.deepEqual(
    ends.map((end) => end.kind),
    ['refused', ...Array.from({ length: 8 }, () => 'exited')],
  );
});

test('[C14] a host that allows two sessions: "open failed" is tried again, and no job fails of it', async (t) => {
  const box = await sandboxHost(t);
  box.box.faults.setMaxSessions(2);
  const results = await Promise.all(
    Array.from({ length: 6 }, () => runToEnd(box, bundle(attempt(box.host), 'echo ok'))),
  );
  for (const { result, log } of results) {
    assert.deepEqual(result, { kind: 'exited', code: 0, logSize: 3 });
    assert.equal(log.text, 'ok\n');
  }
});

test('a connection without work is closed and comes back by itself', async (t) => {
  const box = await sandboxHost(t, { idleMs: 50 });
  const ref = attempt(box.host);
  await box.hosts.probe(box.host, ref);
  const asked = box.box.authenticationRequests;
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal((await box.hosts.probe(box.host, ref)).kind, 'never_started');
  assert.ok(box.box.authenticationRequests > asked);
});

test('[C15] no sudo: told with the words of sudo, nothing was started, and the host still answers as its login user', async (t) => {
  const box = await sandboxHost(t);
  if (!box.box.isolated) return;
  box.box.faults.rejectSudo(true);
  const host = { ...box.host, user: 'capstan', runRoot: null, secretRoot: null };
  const enrolled = await box.another().enrol(host);
  assert.ok(enrolled.kind === 'enrolled', JSON.stringify(enrolled));
  const plain = { ...host, runRoot: enrolled.runRoot, secretRoot: enrolled.secretRoot };
  const hosts = box.another();
  const ref = attempt(plain);
  const blocked = await hosts.run(plain, bundle(ref, 'true', { as: 'root' }), 0, new Recorder(), never);
  assert.ok(blocked.kind === 'blocked');
  assert.deepEqual(blocked.reason, { code: 'no_sudo', args: { detail: 'sudo: a password is required' } });
  const asked = await hosts.check(plain, [check('root', 'id -un', { as: 'root' })], never);
  assert.ok(asked.kind === 'blocked' && asked.reason.code === 'no_sudo');
  assert.deepEqual(await hosts.probe(plain, ref), { kind: 'never_started' });
  const answered = await hosts.check(plain, [check('own', 'id -un; sudo -n true')], never);
  assert.ok(answered.kind === 'answered' && answered.answers[0]?.exitCode === 1);
  const log = new Recorder();
  assert.equal((await hosts.run(plain, bundle(attempt(plain), 'id -un'), 0, log, never)).kind, 'exited');
  assert.equal(log.text, 'capstan\n');
});

test('[S5] [S6] a host that restarted in the middle of an attempt: dead for certain, and its successor may start', async (t) => {
  const box = await sandboxHost(t);
  if (!box.box.isolated) return;
  const cut = attempt(box.host);
  const log = new Recorder();
  void box.hosts.run(box.host, bundle(cut, 'sleep 60'), 0, log, never);
  await log.until((seen) => seen.starts === 1);
  await box.box.faults.restart();
  const restarted = { ...box.host, port: box.box.port };
  assert.deepEqual(await box.hosts.probe(restarted, cut), { kind: 'dead', why: 'host_restarted' });
  assert.deepEqual(
    await box.hosts.run(restarted, bundle(cut, 'sleep 60'), 0, new Recorder(), new AbortController().signal),
    { kind: 'dead', why: 'host_restarted' },
  );
  const next = { ...cut, attemptId: `${cut.attemptId}_2`, number: 2 };
  assert.equal((await runToEnd({ ...box, host: restarted }, bundle(next, 'true'))).result.kind, 'exited');
});

test('closing here ends a connection attempt, a queue and a follower, and leaves the host alone', async (t) => {
  const box = await sandboxHost(t);
  const hosts = box.another({ maxChannels: 1 });
  const ref = attempt(box.host);
  const log = new Recorder();
  const following = hosts.run(box.host, bundle(ref, 'echo up; sleep 1; echo end'), 0, log, never);
  await log.until((seen) => seen.text === 'up\n');
  const queued = hosts.probe(box.host, ref);
  box.box.faults.silence();
  const connecting = box.another().probe(box.host, ref);
  const stopped = new AbortController();
  const waiting = hosts.run(box.host, bundle(attempt(box.host), 'true'), 0, new Recorder(), stopped.signal);
  stopped.abort();
  assert.equal((await waiting).kind, 'link_lost');
  const started = performance.now();
  await Promise.all([hosts.close(), box.close()]);
  assert.ok(performance.now() - started < 5_000);
  assert.deepEqual(
    [(await following).kind, (await queued).kind, (await connecting).kind],
    ['link_lost', 'blocked', 'blocked'],
  );
  box.box.faults.restoreLink();
  const again = await box.another().run(box.host, bundle(ref, 'x'), log.bytes.length, log, never);
  assert.equal(again.kind, 'exited');
  assert.equal(log.text, 'up\nend\n');
});
