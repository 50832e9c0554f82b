import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, attempt, bundle, fileSandbox, Recorder, runToEnd } from './host-fixture.js';

const box = await fileSandbox();

// Every sleep here is one of 60 to 69 s: what is left is found by that.
const TARGETS: Readonly<Record<string, { readonly script: string; readonly graceMs: number }>> = {
  plain: { script: 'echo up; sleep 60', graceMs: 10_000 },
  'TERM ignored': { script: "trap '' TERM; echo up; while :; do sleep 1; done", graceMs: 1_000 },
  nohup: { script: 'nohup sleep 61 >/dev/null 2>&1 & echo up; wait', graceMs: 10_000 },
  'double fork in a session of its own': {
    script: '(setsid sh -c "sleep 62; sleep 63" >/dev/null 2>&1 &); sleep 0.3; echo up; sleep 60',
    graceMs: 10_000,
  },
  'double fork that ignores TERM and lost its parents': {
    script:
      '(setsid sh -c "trap \'\' TERM HUP; while :; do sleep 1; done" >/dev/null 2>&1 &); sleep 0.3; echo up; sleep 60',
    graceMs: 1_000,
  },
  'child without the mark, as of sudo': {
    script: 'setsid env -i /bin/sh -c "sleep 64; sleep 65" & echo up; wait',
    graceMs: 10_000,
  },
  'grandchild whose parent dies of TERM': {
    script: "sh -c 'env -i setsid sleep 66 & echo up; sleep 67'",
    graceMs: 10_000,
  },
  // What a shell starts between the scan and its own death: here for certain, elsewhere by a race.
  'orphan without the mark, born of the TERM to its parent': {
    script: `setsid env -i /bin/sh -c 'trap "sleep 68 & exit" TERM; echo up; sleep 64 & wait' & wait`,
    graceMs: 1_000,
  },
};

test('[C10] cancel ends every kind of process of an attempt and is confirmed by the host', async () => {
  for (const [name, { script, graceMs }] of Object.entries(TARGETS)) {
    const ref = attempt(box.host);
    const log = new Recorder();
    const running = runToEnd(box, bundle(ref, script), log);
    await log.until((seen) => seen.text.includes('up\n'));
    const started = performance.now();
    assert.deepEqual(await box.hosts.cancel(box.host, ref, graceMs), { kind: 'gone' }, name);
    assert.ok(performance.now() - started < 15_000, name);
    assert.deepEqual((await running).result, { kind: 'refused', why: 'cancelled' }, name);
    assert.deepEqual(await box.hosts.probe(box.host, ref), { kind: 'cancelled' }, name);
    assert.deepEqual(
      (await runToEnd(box, bundle(ref, script))).result,
      { kind: 'refused', why: 'cancelled' },
      name,
    );
    assert.equal(
      await ask(box, 'grep -azE "^6[0-9]$" /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "'),
      '',
      name,
    );
  }
});

test('[C10] [S5] the tombstone comes first: a start that arrives after it refuses, and stays refused', async () => {
  const ref = attempt(box.host);
  assert.deepEqual(await box.hosts.cancel(box.host, ref, 1_000), { kind: 'gone' });
  assert.deepEqual(await box.hosts.probe(box.host, ref), { kind: 'cancelled' });
  assert.deepEqual((await runToEnd(box, bundle(ref, 'touch "$HOME/ran"'))).result, {
    kind: 'refused',
    why: 'cancelled',
  });
  assert.deepEqual(await box.hosts.cancel(box.host, ref, 1_000), { kind: 'gone' });
  assert.equal(await ask(box, 'ls "$HOME"'), '');
  assert.deepEqual(await box.hosts.forget(box.host, ref), { kind: 'forgotten' });
});

test('[C10] [C11] cancel against a start or an end at the same moment: gone means that nothing runs, now or later', async () => {
  const other = box.another();
  for (let n = 0; n < 8; n++) {
    const ref = attempt(box.host);
    const running = runToEnd(
      box,
      bundle(ref, `echo ${n} >>"$HOME/begun"; sleep ${n % 2 === 0 ? 60 : 0.1}; echo ${n} >>"$HOME/ended"`),
    );
    await new Promise((resolve) => setTimeout(resolve, 100 + n * 40));
    assert.deepEqual(await other.cancel(box.host, ref, 5_000), { kind: 'gone' });
    assert.equal(
      await ask(box, `grep -lzx CAPSTAN_ATTEMPT=${ref.attemptId} /proc/[0-9]*/environ 2>/dev/null | wc -l`),
      '0',
    );
    const end = (await running).result;
    assert.ok(
      end.kind === 'exited' || (end.kind === 'refused' && end.why === 'cancelled'),
      JSON.stringify(end),
    );
    const probed = await box.hosts.probe(box.host, ref);
    assert.equal(probed.kind, end.kind === 'exited' ? 'exited' : 'cancelled');
  }
});

test('[C10] what a command starts to clean up, once it has TERM, is let be for the grace', async () => {
  const ref = attempt(box.host);
  const log = new Recorder();
  const script = `trap 'sleep 0.4; env -i sh -c "sleep 0.4; :"; echo cleaned; exit 1' TERM; echo up; while :; do sleep 0.1; done`;
  const running = runToEnd(box, bundle(ref, script), log);
  await log.until((seen) => seen.text.includes('up\n'));
  assert.deepEqual(await box.hosts.cancel(box.host, ref, 10_000), { kind: 'gone' });
  await running;
  // dash says that its sleep was terminated.
  const output = await ask(box, `cat "${ref.runRoot}/${ref.attemptId}/output"`);
  assert.match(output, /^up\n(Terminated\n)?cleaned$/);
});

test('[C10] a session number that was ours once and is a stranger’s now is let be', async () => {
  const ref = attempt(box.host);
  const log = new Recorder();
  const running = runToEnd(box, bundle(ref, 'echo up; sleep 60'), log);
  await log.until((seen) => seen.text.includes('up\n'));
  // As a daemon has it: the leader of its session is gone.
  const session = await ask(box, `setsid sh -c 'sleep 71 >/dev/null 2>&1 </dev/null & echo $$'`);
  const former = `${ref.runRoot}/${ref.attemptId}/targets`;
  await ask(box, `echo "4000000 1 ${session} told" >>"${former}"`);
  assert.deepEqual(await box.hosts.cancel(box.host, ref, 5_000), { kind: 'gone' });
  await running;
  const living = `for stat in /proc/[0-9]*/stat; do read -r pid _ _ _ _ at _ <$stat && [ "$at" = ${session} ] && echo $pid; done`;
  const stranger = await ask(box, living);
  assert.match(stranger, /^\d+$/);
  await ask(box, `kill ${stranger}`);
});

test('[C10] what cannot be killed is not called gone', async () => {
  const ref = attempt(box.host);
  const log = new Recorder();
  const running = runToEnd(box, bundle(ref, 'echo up; sleep 60'), log);
  await log.until((seen) => seen.text === 'up\n');
  // A process that is stopped and traced away cannot be had here; one that is made again faster than it is killed can.
  await ask(
    box,
    `nohup setsid env CAPSTAN_ATTEMPT=x sh -c 'while [ ! -e "$HOME/stop" ]; do CAPSTAN_ATTEMPT=${ref.attemptId} sleep 60 & wait; done' >/dev/null 2>&1 </dev/null & sleep 0.2`,
  );
  const result = await box.hosts.cancel(box.host, ref, 100);
  assert.ok(result.kind === 'unconfirmed' && result.alive >= 1, JSON.stringify(result));
  await ask(box, 'touch "$HOME/stop"');
  assert.deepEqual(await box.hosts.cancel(box.host, ref, 100), { kind: 'gone' });
  await running;
});
