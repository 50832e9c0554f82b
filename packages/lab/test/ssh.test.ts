import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import ssh2 from 'ssh2';
import { eventually, firstHost, logIn, open, run, said, sandboxFor } from './lab-client.js';

test('output of exec is byte-exact, both streams, with the exit code', async (t) => {
  const lab = await sandboxFor(t);
  const client = await logIn(lab);
  const bytes = Buffer.from(
    Array.from({ length: 3_000_000 }, (_, index) => (index * 7 + (index >> 8)) % 256),
  );
  const echoed = await run(client, 'cat; printf "a\\0b\\r\\n" >&2; exit 7', bytes);
  assert.equal(echoed.code, 7);
  assert.equal(echoed.stderr, 'a\0b\r\n');
  assert.equal(digest(echoed.stdout), digest(bytes));
  const killed = await run(client, 'kill -TERM $$');
  assert.deepEqual([killed.code, killed.signal], [null, 'SIGTERM']);
});

test('the standard streams are pipes, so that /dev/stdin and >/dev/stderr work as under sshd', async (t) => {
  const lab = await sandboxFor(t);
  const client = await logIn(lab);
  const outcome = await run(client, 'sleep 0.1; cat /dev/stdin; echo wrong >/dev/stderr', 'late reader\n');
  assert.deepEqual([outcome.stdout.toString(), outcome.stderr], ['late reader\n', 'wrong\n']);
});

test('only the lab key logs in: another key, a password and another user are refused', async (t) => {
  const lab = await sandboxFor(t);
  const other = ssh2.utils.generateKeyPairSync('ed25519').private;
  const refused = /authentication methods failed/;
  await assert.rejects(logIn(lab, firstHost(lab), { privateKey: other }), refused);
  await assert.rejects(logIn(lab, firstHost(lab), { privateKey: undefined, password: 'capstan' }), refused);
  await assert.rejects(logIn(lab, firstHost(lab), { username: 'admin' }), refused);
  assert.equal(statSync(lab.clientKeyFile).mode & 0o777, 0o600);
});

test('an additional authorized key logs in', async (t) => {
  const mine = ssh2.utils.generateKeyPairSync('ed25519');
  const lab = await sandboxFor(t, { authorizedKey: mine.public });
  const client = await logIn(lab, firstHost(lab), { privateKey: mine.private });
  assert.equal(await said(client, 'echo in'), 'in');
});

test('[S2] a command inherits nothing of the process that runs the lab', async (t) => {
  process.env.CAPSTAN_TEST_SECRET = 'must-not-travel';
  t.after(() => delete process.env.CAPSTAN_TEST_SECRET);
  const client = await logIn(await sandboxFor(t));
  const outcome = await run(client, 'env', '', { LANG: 'C.UTF-8', LD_PRELOAD: '/x.so' });
  const names = [...outcome.stdout.toString().matchAll(/^(\w+)=/gm)].map((found) => found[1]);
  assert.ok(names.includes('CAPSTAN_LAB_STATE') && names.includes('LANG'), names.join());
  assert.ok(!names.includes('CAPSTAN_TEST_SECRET') && !names.includes('LD_PRELOAD'), names.join());
});

test('one shell channel serves command after command over its input', async (t) => {
  const client = await logIn(await sandboxFor(t));
  const shell = await new Promise<ssh2.ClientChannel>((resolve, reject) => {
    client.shell(false, (error, channel) => (error ? reject(error) : resolve(channel)));
  });
  let text = '';
  shell.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  shell.write('x=1; echo first $x\n');
  assert.ok(await eventually(() => text === 'first 1\n'), text);
  shell.end('echo second $((x + 1)); exit 5\n');
  const code = await new Promise((resolve) => shell.once('close', resolve));
  assert.deepEqual([text, code], ['first 1\nsecond 2\n', 5]);
});

test('the end of a channel hangs up its foreground, not what went into a session of its own', async (t) => {
  const lab = await sandboxFor(t);
  const client = await logIn(lab);
  const channel = await open(client, 'setsid -f sleep 301; echo up; sleep 302');
  await new Promise((resolve) => channel.once('data', resolve));
  channel.close();
  const alive = (seconds: number) => said(client, `pgrep -f "^sleep ${seconds}" || echo none`);
  assert.ok(await eventually(async () => (await alive(302)) === 'none'));
  assert.match(await alive(301), /^\d+$/);
});

test('[V05] the exit status does not wait for a daemon that keeps the output open, and the daemon lives on', async (t) => {
  const client = await logIn(await sandboxFor(t));
  const channel = await open(client, '( while :; do echo tick; sleep 0.1; done ) & echo $!; exit 3');
  let text = '';
  channel.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const code = await new Promise((resolve) => channel.once('exit', resolve));
  assert.equal(code, 3);
  assert.ok(await eventually(() => /tick/.test(text) && /^\d+$/m.test(text)));
  channel.close();
  const daemon = /^\d+$/m.exec(text)?.[0];
  assert.equal(await said(client, `kill -0 ${daemon} && echo alive`), 'alive');
});

test('a signal request reaches the command and what it runs, and a command may ignore it', async (t) => {
  const client = await logIn(await sandboxFor(t));
  const deaf = await open(client, 'trap "" TERM; echo up; sleep 0.6; echo still here; exit 4');
  let text = '';
  deaf.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text === 'up\n') deaf.signal('TERM');
  });
  const code = await new Promise((resolve) => deaf.once('exit', resolve));
  assert.deepEqual([code, text], [4, 'up\nstill here\n']);
  const plain = await open(client, 'echo up; sleep 300');
  plain.once('data', () => plain.signal('INT'));
  const [, signal] = await new Promise<[unknown, string]>((resolve) =>
    plain.once('exit', (status: unknown, name: string) => resolve([status, name])),
  );
  assert.equal(signal, 'SIGINT');
});

test('what the server cannot give is refused, not left hanging: a terminal, sftp, a forwarding', async (t) => {
  const client = await logIn(await sandboxFor(t));
  await assert.rejects(
    new Promise((_, reject) => client.shell((error) => reject(error ?? new Error('granted')))),
    /Unable to request/,
  );
  await assert.rejects(
    new Promise((_, reject) => client.sftp((error) => reject(error ?? new Error('granted')))),
    /subsystem/i,
  );
  await assert.rejects(
    new Promise((_, reject) =>
      client.forwardOut('127.0.0.1', 1, '127.0.0.1', 2, (error) => reject(error ?? new Error('granted'))),
    ),
    /open failed|Channel open failure/i,
  );
});

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
