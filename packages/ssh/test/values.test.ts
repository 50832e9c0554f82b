import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ask,
  attempt,
  bundle,
  check,
  eventually,
  fileSandbox,
  program,
  Recorder,
  runToEnd,
  sandboxHost,
} from './host-fixture.js';

const box = await fileSandbox();

const HOSTILE = [
  '$(touch "$HOME/canary")',
  '`touch $HOME/canary`',
  "'; touch $HOME/canary; '",
  '"; touch $HOME/canary; "',
  '\n touch $HOME/canary\n',
  '-rf --help',
  `{{ canary }} $${'{canary}'} %s %n`,
  'тест “quotes” ‘curly’ \u00a0\u2028',
  "\\\\ \\n \\'\\\" \\x41 $'\\n' ! !! * ? [a] ~",
  'x'.repeat(70_000),
  '\r\n\t\u001b[31m\u0007;&|<>()#',
];

test('[C23] hostile values arrive byte-exact, and none of them runs', async () => {
  const named = HOSTILE.map((value, n) => [`v-${n}`, value] as const);
  const params = Buffer.from(
    JSON.stringify({ ...Object.fromEntries(named), number: 3, yes: true, list: HOSTILE, none: null }),
  );
  const files = named.map(([name, value]) => ({
    name: `f${name}`,
    bytes: Buffer.from(value),
    sensitive: true,
  }));
  const shown = named.map(
    ([name]) =>
      `printf '%s|' "\${CAPSTAN_PARAM_${name.toUpperCase().replace('-', '_')}-none}"; cat "$CAPSTAN_SECRETS/f${name}" "$CAPSTAN_INPUTS/f${name}"`,
  );
  const script = `cat "$CAPSTAN_PARAMS"; ${shown.join('; ')}; echo "|$CAPSTAN_PARAM_NUMBER|$CAPSTAN_PARAM_YES|\${CAPSTAN_PARAM_LIST-none}|\${CAPSTAN_PARAM_NONE-none}"`;
  const given = { params, secrets: files, inputs: files };
  const expected = `${params}${named.map(([, value]) => `${value.length > 65_536 ? 'none' : value}|${value}${value}`).join('')}|3|true|none|none\n`;
  const { log } = await runToEnd(box, bundle(attempt(box.host), script, given));
  sameText(log.text, expected);
  const answer = await box.hosts.check(box.host, [check('c', script, given)], new AbortController().signal);
  assert.ok(answer.kind === 'answered');
  sameText(
    Buffer.from(answer.answers[0]?.stdout ?? []).toString(),
    Buffer.from(expected).subarray(0, 262_144).toString(),
  );
  const words = HOSTILE.filter((value) => value.length < 1000);
  const command = await runToEnd(box, bundle(attempt(box.host), ['printf', '%s\n', ...words]));
  assert.equal(command.log.text, words.map((value) => `${value}\n`).join(''));
  assert.equal(await ask(box, 'ls "$HOME"'), '');
});

/** Long texts: only the place where they part is shown. */
function sameText(actual: string, expected: string): void {
  let at = 0;
  while (at < expected.length && actual[at] === expected[at]) at++;
  if (actual !== expected)
    assert.equal(
      actual.slice(Math.max(0, at - 60), at + 60),
      expected.slice(Math.max(0, at - 60), at + 60),
      `from character ${at}`,
    );
}

test('[C23] names that no document can declare are refused before a byte is sent', async () => {
  for (const name of [
    '../x',
    '/etc/x',
    'a/b/c',
    '-rf',
    '.hidden',
    'a b',
    'a;b',
    'a\nb',
    '$(x)',
    '',
    'a/../b',
  ]) {
    const what = bundle(attempt(box.host), 'true', {
      inputs: [{ name, bytes: Buffer.from('x'), sensitive: false }],
    });
    await assert.rejects(runToEnd(box, what), /not a name for a file/, name);
    await assert.rejects(
      box.hosts.collect(box.host, what.ref, [{ name, limit: 1 }]),
      /not the name of an output/,
      name,
    );
  }
  await assert.rejects(
    runToEnd(box, bundle(attempt(box.host, { attemptId: '$(x)' }), 'true')),
    /not an attempt id/,
  );
  await assert.rejects(
    runToEnd(box, bundle(attempt(box.host), 'true', { as: 'root; id' })),
    /not a user name/,
  );
  await assert.rejects(
    runToEnd(box, bundle(attempt(box.host), 'true', { env: { 'A-B': 'x' } })),
    /not an environment variable/,
  );
  await assert.rejects(runToEnd(box, bundle(attempt(box.host), ['echo', 'a\0b'])), /NUL/);
});

test('the environment of a job is its own: nothing of the login is in it', async () => {
  const ref = attempt(box.host);
  const { log } = await runToEnd(
    box,
    bundle(ref, 'env | grep -v -e ^CAPSTAN_LAB_ -e ^HOST -e ^TMPDIR= | sort; readlink /proc/self/fd/0; pwd', {
      env: { EXTRA: 'one' },
    }),
  );
  const names = log.text.split('\n').map((line) => line.split('=')[0]);
  assert.deepEqual(
    names.filter((name) => name !== '_' && name !== 'OLDPWD' && name !== 'SHLVL').slice(0, -2),
    [
      'CAPSTAN_ATTEMPT',
      'CAPSTAN_INPUTS',
      'CAPSTAN_OUTPUTS',
      'CAPSTAN_PARAMS',
      'CAPSTAN_SECRETS',
      'EXTRA',
      'HOME',
      'LANG',
      'LOGNAME',
      'PATH',
      'PWD',
      'USER',
      '/dev/null',
    ],
  );
  assert.match(log.text, new RegExp(`^CAPSTAN_ATTEMPT=${ref.attemptId}$`, 'm'));
  assert.match(log.text, /^LANG=C\.UTF-8$/m);
});

test('[S10] secrets are files of the job alone, under the secret root, and gone at the end; their values are masked', async () => {
  const ref = attempt(box.host);
  const secret = 'correct-horse/battery+staple';
  const script = `stat -L -c "%a %U" "$CAPSTAN_SECRETS/pw" "$CAPSTAN_INPUTS/token" "$CAPSTAN_INPUTS/many/a"; readlink -f "$CAPSTAN_INPUTS/token" "$CAPSTAN_SECRETS"
    cat "$CAPSTAN_SECRETS/pw" "$CAPSTAN_INPUTS/token" "$CAPSTAN_INPUTS/many/a"; sed 's/./&\\n/13' "$CAPSTAN_SECRETS/pw" | while read -r half || [ -n "$half" ]; do printf '%s' "$half"; sleep 0.3; done; echo; base64 -w0 "$CAPSTAN_SECRETS/pw"; echo; tr '\\0' '\\n' </proc/self/environ; tr '\\0' ' ' </proc/$$/cmdline`;
  const bytes = Buffer.from(secret);
  const { log } = await runToEnd(
    box,
    bundle(ref, script, {
      secrets: [{ name: 'pw', bytes, sensitive: true }],
      inputs: [
        { name: 'token', bytes: Buffer.from('tok'), sensitive: true },
        { name: 'many/a', bytes: Buffer.from('A\n'), sensitive: true },
      ],
      redaction: { values: [bytes], patterns: [] },
    }),
  );
  const lines = log.text.split('\n');
  assert.deepEqual(lines.slice(0, 3), ['600 root', '600 root', '600 root']);
  for (const line of lines.slice(3, 5))
    assert.ok(line.startsWith(`${ref.secretRoot}/${ref.attemptId}.`), line);
  assert.equal(lines[5], `${'*'.repeat(secret.length)}tokA`);
  assert.equal(lines[6], '*'.repeat(secret.length));
  assert.match(lines[7] ?? '', /^\*+=*$/);
  assert.ok(!log.text.includes('correct') && !log.text.includes('staple'));
  assert.equal(await ask(box, `ls -A ${ref.secretRoot} | grep -v ^capstan-check`), '');
  assert.equal(
    await ask(box, `grep -rl "horse" ${ref.runRoot}/${ref.attemptId}`),
    `${ref.runRoot}/${ref.attemptId}/output`,
  );
});

test('[S10] a token born on the host: nothing is shown before its end, then the log is read masked', async () => {
  const ref = attempt(box.host);
  const log = new Recorder();
  const { result } = await runToEnd(
    box,
    bundle(
      ref,
      'echo "token abcdef.0123456789abcdef"; printf secret99 >"$CAPSTAN_OUTPUTS/token"; echo secret99',
      { follow: false },
    ),
    log,
  );
  assert.ok(result.kind === 'exited' && result.logSize > 0);
  assert.equal(log.bytes.length, 0);
  assert.equal(log.starts, 1);
  const read = await box.hosts.readLog(
    box.host,
    ref,
    0,
    { values: [Buffer.from('secret99')], patterns: ['[a-z0-9]{6}\\.[a-z0-9]{16}'] },
    log,
  );
  assert.deepEqual(read, { kind: 'read', logSize: result.logSize });
  assert.equal(log.text, `token ${'*'.repeat(23)}\n********\n`);
});

test('[S11] only declared regular files of at most their size are collected, and no link is followed', async () => {
  const ref = attempt(box.host);
  await ask(box, 'echo stolen >"$HOME/shadow"');
  const script = `cd "$CAPSTAN_OUTPUTS"; printf 'a\\0b' >good; printf '{"expires_in":"2h"}' >good.meta.json; ln -s "$HOME/shadow" link; mkdir folder; mkfifo pipe; head -c 11 /dev/zero >large; echo x >undeclared; : >empty`;
  assert.equal((await runToEnd(box, bundle(ref, script))).result.kind, 'exited');
  const result = await box.hosts.collect(
    box.host,
    ref,
    ['good', 'link', 'folder', 'pipe', 'large', 'absent', 'empty'].map((name) => ({ name, limit: 10 })),
  );
  assert.ok(result.kind === 'collected');
  assert.deepEqual(
    result.files.map((file) => [file.name, Buffer.from(file.bytes).toString()]),
    [
      ['good', 'a\0b'],
      ['empty', ''],
    ],
  );
  assert.equal(Buffer.from(result.meta.good ?? []).toString(), '{"expires_in":"2h"}');
  assert.deepEqual(result.missing, [
    { name: 'link', why: 'link' },
    { name: 'folder', why: 'not_regular' },
    { name: 'pipe', why: 'not_regular' },
    { name: 'large', why: 'too_large' },
    { name: 'absent', why: 'absent' },
  ]);
});

test('a job as another user: his folders, his files, the outputs collected', async () => {
  if (!box.box.isolated) return;
  const ref = attempt(box.host);
  const { result, log } = await runToEnd(
    box,
    bundle(
      ref,
      'id -un; echo "$HOME $USER"; cat "$CAPSTAN_SECRETS/pw" "$CAPSTAN_INPUTS/plain"; echo out >"$CAPSTAN_OUTPUTS/o"; echo loud >/dev/stderr',
      {
        as: 'postgres',
        secrets: [{ name: 'pw', bytes: Buffer.from('p\n'), sensitive: true }],
        inputs: [{ name: 'plain', bytes: Buffer.from('i\n'), sensitive: false }],
      },
    ),
  );
  assert.equal(log.text, 'postgres\n/var/lib/postgresql postgres\np\ni\nloud\n');
  assert.equal(result.kind, 'exited');
  const collected = await box.hosts.collect(box.host, ref, [{ name: 'o', limit: 10 }]);
  assert.ok(collected.kind === 'collected' && collected.files.length === 1);
  const nobody = await box.hosts.run(
    box.host,
    bundle(attempt(box.host), 'true', { as: 'ghost' }),
    0,
    new Recorder(),
    new AbortController().signal,
  );
  assert.ok(
    nobody.kind === 'blocked' &&
      nobody.reason.code === 'needs_input' &&
      /no user ghost/.test(String(nobody.reason.args.detail)),
  );
});

test('checks of a job run beside each other in one round trip; each has its own time, its own streams and leaves nothing', async () => {
  const started = performance.now();
  const answer = await box.hosts.check(
    box.host,
    [
      check('bytes', 'printf "a\\0\\377\\r\\n"; printf err >&2; exit 3'),
      check('slow', 'echo before; sleep 30; echo after', { timeoutMs: 800 }),
      check('stubborn', "trap '' TERM; (setsid sleep 20) & echo x >/dev/stderr; sleep 30", {
        timeoutMs: 800,
      }),
      check('secret', 'cat "$CAPSTAN_SECRETS/s" "$CAPSTAN_INPUTS/i"', {
        secrets: [{ name: 's', bytes: Buffer.from('S'), sensitive: true }],
        inputs: [{ name: 'i', bytes: Buffer.from('I'), sensitive: true }],
      }),
      check('argv', ['sh', '-c', 'echo $# $1', 'sh', 'a b']),
      check('loud', 'head -c 300000 /dev/zero'),
    ],
    new AbortController().signal,
  );
  assert.ok(performance.now() - started < 12_000);
  assert.ok(answer.kind === 'answered' && answer.answers.length === 6);
  const byId = new Map(answer.answers.map((one) => [one.id, one]));
  const bytes = byId.get('bytes');
  assert.deepEqual(
    [
      bytes?.exitCode,
      bytes?.timedOut,
      Buffer.from(bytes?.stdout ?? []).toString('latin1'),
      Buffer.from(bytes?.stderr ?? []).toString(),
    ],
    [3, false, 'a\0\xff\r\n', 'err'],
  );
  assert.deepEqual(
    [byId.get('slow')?.timedOut, Buffer.from(byId.get('slow')?.stdout ?? []).toString()],
    [true, 'before\n'],
  );
  assert.deepEqual(
    [byId.get('stubborn')?.timedOut, Buffer.from(byId.get('stubborn')?.stderr ?? []).toString()],
    [true, 'x\n'],
  );
  assert.equal(Buffer.from(byId.get('secret')?.stdout ?? []).toString(), 'SI');
  assert.equal(Buffer.from(byId.get('argv')?.stdout ?? []).toString(), '1 a b\n');
  assert.equal(byId.get('loud')?.stdout.length, 262_144);
  assert.match(byId.get('loud')?.rawHash ?? '', /^[0-9a-f]{64}$/);
  assert.ok(
    await eventually(
      async () =>
        (await ask(
          box,
          'ls -d /dev/shm/capstan-check.* /run/capstan/capstan-check.* /tmp/capstan-check.* 2>/dev/null | wc -l',
        )) === '1',
    ),
  );
  assert.equal(
    (await box.hosts.check(box.host, [{ id: 'x', program: program('true') }], AbortSignal.abort())).kind,
    'blocked',
  );
});

test('a sandbox host that is only a folder: nothing lies outside of it, and its users are told apart', async (t) => {
  const folder = await sandboxHost(t, {}, 'none');
  const { runRoot, secretRoot } = folder.host;
  for (const root of [runRoot, secretRoot])
    assert.ok(root?.startsWith(`${folder.box.rootfs}/`), String(root));
  for (const as of ['login', 'root', 'postgres']) {
    const ref = attempt(folder.host);
    const what = bundle(ref, 'echo "$USER"; cat "$CAPSTAN_SECRETS/s"; echo o >"$CAPSTAN_OUTPUTS/o"', {
      as,
      secrets: [{ name: 's', bytes: Buffer.from('S\n'), sensitive: true }],
    });
    const { result, log } = await runToEnd(folder, what);
    assert.deepEqual(result, { kind: 'exited', code: 0, logSize: log.bytes.length }, as);
    assert.equal(log.text, `${as === 'postgres' ? 'postgres' : 'root'}\nS\n`);
    const collected = await folder.hosts.collect(folder.host, ref, [{ name: 'o', limit: 9 }]);
    assert.ok(collected.kind === 'collected' && collected.files.length === 1, as);
    assert.deepEqual(await folder.hosts.cancel(folder.host, ref, 1_000), { kind: 'gone' });
  }
});
