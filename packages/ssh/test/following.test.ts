import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ask, attempt, bundle, eventually, fileSandbox, Recorder, runToEnd } from './host-fixture.js';

const box = await fileSandbox();

test('[C22] exit codes are told as they are, a signal as the shell tells it', async () => {
  for (const [script, code] of [
    ['exit 0', 0],
    ['exit 1', 1],
    ['exit 255', 255],
    ['kill -9 $$', 137],
    ['/no/such/program', 127],
  ] as const) {
    const { result } = await runToEnd(box, bundle(attempt(box.host), script));
    assert.equal(result.kind === 'exited' && result.code, code, script);
  }
  const command = await runToEnd(
    box,
    bundle(attempt(box.host), ['sh', '-c', 'echo "$0|$1"', "it's", '$(x) `y` "z" \\']),
  );
  assert.equal(command.log.text, 'it\'s|$(x) `y` "z" \\\n');
});

test('a job at its timeout is ended by the host itself, with every process of it', async () => {
  const quick = { ...box, hosts: box.another({ killGraceMs: 1_000 }) };
  const ref = attempt(box.host);
  const { result, log } = await runToEnd(
    quick,
    bundle(
      ref,
      "trap '' TERM; (setsid sh -c \"trap '' TERM; sleep 61; sleep 62\") & echo up; while :; do sleep 1; done",
      { timeoutMs: 700 },
    ),
  );
  assert.equal(result.kind, 'timed_out');
  assert.match(log.text, /^up\n(Killed\n)*$/);
  assert.deepEqual(await box.hosts.probe(box.host, ref), { kind: 'timed_out' });
  assert.equal(
    await ask(box, `grep -lzx CAPSTAN_ATTEMPT=${ref.attemptId} /proc/[0-9]*/environ 2>/dev/null | wc -l`),
    '0',
  );
});

test('[V05] a daemon that keeps the output open: the attempt ends at once, its log has one end, the daemon lives', async () => {
  const ref = attempt(box.host);
  const log = new Recorder();
  const script =
    'echo begin; ( while :; do echo tick; sleep 0.2; done ) & echo "$!" >"$HOME/daemon"; echo end; exit 0';
  const running = runToEnd(box, bundle(ref, script), log);
  await log.until((seen) => seen.text.includes('end\n'));
  const exited = performance.now();
  const { result } = await running;
  assert.ok(performance.now() - exited < 5_000);
  assert.ok(result.kind === 'exited' && result.code === 0 && result.logSize === log.bytes.length);
  assert.match(log.text, /^begin\n(tick\n)*end\n(tick\n)*$/);
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal((await runToEnd(box, bundle(ref, 'x'))).log.text, log.text);
  const read = new Recorder();
  assert.deepEqual(await box.hosts.readLog(box.host, ref, 0, { values: [], patterns: [] }, read), {
    kind: 'read',
    logSize: log.bytes.length,
  });
  assert.equal(read.text, log.text);
  // It holds no lock: the next attempt of the node starts, and a cancel of that one leaves it alone.
  const next = { ...ref, attemptId: `${ref.attemptId}_2`, number: 2 };
  const following = runToEnd(box, bundle(next, 'sleep 60'));
  assert.ok(await eventually(async () => (await box.hosts.probe(box.host, next)).kind === 'running'));
  assert.deepEqual(await box.hosts.cancel(box.host, next, 5_000), { kind: 'gone' });
  assert.deepEqual((await following).result, { kind: 'refused', why: 'cancelled' });
  assert.deepEqual(await box.hosts.cancel(box.host, ref, 1_000), { kind: 'gone' });
  assert.equal(
    await ask(box, 'kill -0 "$(cat "$HOME/daemon")" && echo alive; kill "$(cat "$HOME/daemon")"'),
    'alive',
  );
});

test('[C19] bytes arrive as they are: NUL, invalid UTF-8, lone surrogates, CR, cut letters, escape sequences; and /dev/stderr cuts nothing', async () => {
  const corpus = Buffer.concat([
    Buffer.from([0, 1, 2, 0xff, 0xfe, 0xed, 0xa0, 0x80, 0xc3]),
    Buffer.from('\u001b]8;;http://x\u0007link\u001b]8;;\u0007\u001b]0;title\u0007'),
    Buffer.from('10%\r20%\r\n<script>alert(1)</script>\n€😀'),
    Buffer.alloc(70_000, 0xe2),
    Buffer.from('\n\n\r\r'),
  ]);
  const script =
    'cat "$CAPSTAN_INPUTS/corpus"; echo one >/dev/stderr; echo two >&2; echo three >/dev/stdout; cat "$CAPSTAN_INPUTS/corpus"';
  const { result, log } = await runToEnd(
    box,
    bundle(attempt(box.host), script, { inputs: [{ name: 'corpus', bytes: corpus, sensitive: false }] }),
  );
  const expected = Buffer.concat([corpus, Buffer.from('one\ntwo\nthree\n'), corpus]);
  assert.deepEqual(result, { kind: 'exited', code: 0, logSize: expected.length });
  assert.ok(log.bytes.equals(expected));
});

test('[C18] a sink that takes its time holds the stream back, and no byte is lost', async () => {
  const hash = createHash('sha256');
  let size = 0;
  let slow = 40;
  const what = bundle(
    attempt(box.host),
    'i=0; while [ $i -lt 24 ]; do head -c 1048576 /dev/zero | tr "\\0" "a"; echo "$i"; i=$((i + 1)); done',
  );
  const result = await box.hosts.run(
    box.host,
    what,
    0,
    {
      started: () => undefined,
      log: async (offset, bytes) => {
        assert.equal(offset, size);
        size += bytes.length;
        hash.update(bytes);
        if (slow-- > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      },
    },
    new AbortController().signal,
  );
  assert.ok(result.kind === 'exited' && result.logSize === size);
  const expected = createHash('sha256');
  for (let n = 0; n < 24; n++) expected.update(`${'a'.repeat(1_048_576)}${n}\n`);
  assert.equal(hash.digest('hex'), expected.digest('hex'));
});
