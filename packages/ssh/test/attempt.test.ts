import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ask, attempt, bundle, eventually, fileSandbox, Recorder, runToEnd } from './host-fixture.js';

const box = await fileSandbox();

test('[C01] the client dies in the middle: another goes on from the stored offset, one effect, the log byte-exact', async () => {
  const what = bundle(
    attempt(box.host),
    'echo ran >>"$HOME/ledger-1"; for n in 1 2 3 4 5 6; do echo "line $n"; sleep 0.3; done; exit 4',
  );
  const log = new Recorder();
  const first = box.another();
  const cut = first.run(box.host, what, 0, log, new AbortController().signal);
  await log.until((seen) => seen.text.includes('line 2'));
  await first.close();
  assert.equal((await cut).kind, 'link_lost');
  const { result } = await runToEnd(box, what, log);
  assert.deepEqual(result, { kind: 'exited', code: 4, logSize: log.bytes.length });
  assert.equal(log.text, [1, 2, 3, 4, 5, 6].map((n) => `line ${n}\n`).join(''));
  assert.equal(await ask(box, 'wc -l <"$HOME/ledger-1"'), '1');
  const again = await runToEnd(box, what);
  assert.deepEqual(again.result, result);
  assert.equal(again.log.text, log.text);
});

test('[S5] deliveries that are cut at any moment start the attempt once', async () => {
  for (let n = 0; n < 8; n++) {
    const what = bundle(attempt(box.host), `echo ${n} >>"$HOME/ledger-2"; sleep 0.2; echo done`);
    const stopped = new AbortController();
    const cut = box.hosts.run(box.host, what, 0, new Recorder(), stopped.signal);
    await new Promise((resolve) => setTimeout(resolve, 30 + n * 45));
    stopped.abort();
    assert.ok(['link_lost', 'exited'].includes((await cut).kind));
    const { result, log } = await runToEnd(box, what);
    assert.deepEqual(result, { kind: 'exited', code: 0, logSize: 5 }, `cut ${n}`);
    assert.equal(log.text, 'done\n');
  }
  assert.equal(await ask(box, 'sort "$HOME/ledger-2" | tr "\\n" " "'), '0 1 2 3 4 5 6 7');
});

test('[S5] death between publish and start: the same attempt starts, once', async () => {
  const ref = attempt(box.host);
  const what = bundle(ref, 'echo ran >>"$HOME/ledger-3"');
  // Somebody holds the lock of the node: the bundle is published, and the start is refused.
  const node = createHash('sha256').update(`${ref.operationId}\0${ref.nodeKey}`).digest('hex').slice(0, 40);
  const record = `${ref.runRoot}/nodes/${node}`;
  await ask(
    box,
    `touch ${record}; setsid flock ${record} sleep 30 >/dev/null 2>&1 </dev/null & until [ "$(flock -n ${record} echo free)" != free ]; do sleep 0.02; done`,
  );
  assert.deepEqual((await runToEnd(box, what)).result, { kind: 'refused', why: 'predecessor_alive' });
  assert.equal(
    await ask(box, `cd ${ref.runRoot}/${ref.attemptId} && ls started rc 2>/dev/null; ls supervise`),
    'supervise',
  );
  assert.deepEqual(await box.hosts.probe(box.host, ref), { kind: 'never_started' });
  await ask(box, 'kill $(cat /proc/[0-9]*/stat 2>/dev/null | sed -n "s/^\\([0-9]*\\) (sleep).*/\\1/p")');
  const both = await Promise.all([runToEnd(box, what), runToEnd(box, what)]);
  for (const one of both) assert.deepEqual(one.result, { kind: 'exited', code: 0, logSize: 0 });
  assert.equal(await ask(box, 'cat "$HOME/ledger-3"'), 'ran');
});

test('[S5] two deliveries of one attempt at once: one effect, both hear the end', async () => {
  const other = box.another();
  for (let n = 0; n < 4; n++) {
    const what = bundle(attempt(box.host), `echo ${n} >>"$HOME/ledger-4"; echo out; exit 7`);
    const logs = [new Recorder(), new Recorder(), new Recorder()];
    const results = await Promise.all(
      logs.map((log, m) =>
        (m === 1 ? other : box.hosts).run(box.host, what, 0, log, new AbortController().signal),
      ),
    );
    for (const result of results) assert.deepEqual(result, { kind: 'exited', code: 7, logSize: 4 });
    for (const log of logs) assert.equal(log.text, 'out\n');
  }
  assert.equal(await ask(box, 'tr "\\n" " " <"$HOME/ledger-4"'), '0 1 2 3');
});

test('[S5] a supervisor that was killed: what it left is told from nothing', async () => {
  const died = attempt(box.host);
  const following = runToEnd(box, bundle(died, 'echo up; exec sleep 60'));
  assert.ok(await eventually(async () => (await box.hosts.probe(box.host, died)).kind === 'running'));
  const orphaned = await runUntilOrphaned(died, following);
  assert.deepEqual(orphaned, { kind: 'orphaned', alive: 1 });
  assert.deepEqual(await box.hosts.cancel(box.host, died, 5_000), { kind: 'gone' });

  const alone = attempt(box.host);
  const silent = runToEnd(box, bundle(alone, 'exec sleep 60'));
  assert.ok(await eventually(async () => (await box.hosts.probe(box.host, alone)).kind === 'running'));
  await ask(
    box,
    `cd ${alone.runRoot}/${alone.attemptId}; read -r _ _ _ pid _ <started; read -r _ _ _ parent _ </proc/$pid/stat; kill -STOP $parent; kill -9 $pid; kill -9 $parent`,
  );
  assert.deepEqual((await silent).result, { kind: 'dead', why: 'supervisor_died' });
  assert.deepEqual(await box.hosts.probe(box.host, alone), { kind: 'dead', why: 'supervisor_died' });
});

async function runUntilOrphaned(ref: ReturnType<typeof attempt>, following: ReturnType<typeof runToEnd>) {
  await ask(
    box,
    `cd ${ref.runRoot}/${ref.attemptId}; read -r _ _ _ pid _ <started; read -r _ _ _ parent _ </proc/$pid/stat; kill -9 $parent`,
  );
  return (await following).result;
}

test('[S5] [S13] a folder that is gone never starts again, and what was forgotten stays forgotten', async () => {
  const ref = attempt(box.host);
  assert.equal((await runToEnd(box, bundle(ref, 'echo a'))).result.kind, 'exited');
  assert.deepEqual(await box.hosts.forget(box.host, ref), { kind: 'forgotten' });
  assert.equal(await ask(box, `ls -A ${ref.runRoot} | grep -e ${ref.attemptId} -e stage`), '');
  assert.deepEqual(await box.hosts.probe(box.host, ref), { kind: 'dead', why: 'run_folder_lost' });
  assert.deepEqual((await runToEnd(box, bundle(ref, 'echo a'))).result, {
    kind: 'dead',
    why: 'run_folder_lost',
  });
  const unknown = attempt(box.host);
  assert.deepEqual(await box.hosts.probe(box.host, unknown), { kind: 'never_started' });
  assert.deepEqual(
    await box.hosts.run(box.host, bundle(unknown, 'echo a'), 3, new Recorder(), new AbortController().signal),
    { kind: 'dead', why: 'run_folder_lost' },
  );
  assert.deepEqual(await box.hosts.forget(box.host, unknown), { kind: 'forgotten' });
});

test('[S6] no attempt beside a live one of the same node; another node is free; after the end it may start', async () => {
  const first = attempt(box.host);
  const next = { ...first, attemptId: `${first.attemptId}_2`, number: 2 };
  const log = new Recorder();
  const running = runToEnd(
    box,
    bundle(first, 'echo up; while [ ! -e "$HOME/go-7" ]; do sleep 0.1; done'),
    log,
  );
  await log.until((seen) => seen.text === 'up\n');
  assert.deepEqual((await runToEnd(box, bundle(next, 'echo second'))).result, {
    kind: 'refused',
    why: 'predecessor_alive',
  });
  assert.equal(
    (await runToEnd(box, bundle({ ...first, attemptId: `${first.attemptId}_o`, nodeKey: 'other' }, 'true')))
      .result.kind,
    'exited',
  );
  // Its supervisor gone, its process alive: still no second one.
  await ask(
    box,
    `cd ${first.runRoot}/${first.attemptId}; read -r _ _ _ pid _ <started; read -r _ _ _ parent _ </proc/$pid/stat; kill -9 $parent`,
  );
  assert.equal((await running).result.kind, 'orphaned');
  assert.deepEqual((await runToEnd(box, bundle(next, 'echo second'))).result, {
    kind: 'refused',
    why: 'predecessor_alive',
  });
  await ask(box, 'touch "$HOME/go-7"');
  assert.ok(await eventually(async () => (await box.hosts.probe(box.host, first)).kind === 'dead'));
  assert.equal((await runToEnd(box, bundle(next, 'echo second'))).log.text, 'second\n');
  // What was replaced is late for ever.
  assert.deepEqual(
    (await runToEnd(box, bundle({ ...first, attemptId: `${first.attemptId}_late`, number: 1 }, 'echo late')))
      .result,
    { kind: 'refused', why: 'fenced' },
  );
});

test('[S6] a pid that belongs to someone else by now is neither counted nor hit', async () => {
  const ref = attempt(box.host);
  assert.equal((await runToEnd(box, bundle(ref, 'true'))).result.kind, 'exited');
  // As if the attempt had been lost, and its pid were a bystander's, younger than the attempt.
  await ask(
    box,
    `cd ${ref.runRoot}/${ref.attemptId}; rm rc; setsid sleep 60 >/dev/null 2>&1 </dev/null & echo $! >"$HOME/bystander"
    read -r a f l _ born _ <${ref.runRoot}/${ref.attemptId}/started; echo "$a $f $l $(cat "$HOME/bystander") $born" >${ref.runRoot}/${ref.attemptId}/started; sleep 0.1`,
  );
  assert.deepEqual(await box.hosts.probe(box.host, ref), { kind: 'dead', why: 'supervisor_died' });
  assert.deepEqual(await box.hosts.cancel(box.host, ref, 1_000), { kind: 'gone' });
  assert.equal(
    await ask(box, 'kill -0 "$(cat "$HOME/bystander")" && echo alive; kill "$(cat "$HOME/bystander")"'),
    'alive',
  );
});

test('[S13] a lower fence than one seen before is refused, a higher one takes over, another database is no judge', async () => {
  const ref = attempt(box.host, { fence: '700.2.5' });
  const log = new Recorder();
  const running = runToEnd(box, bundle(ref, 'echo up; sleep 1.5; echo end'), log);
  await log.until((seen) => seen.text === 'up\n');
  for (const fence of ['700.2.4', '700.1.9', '701.3.1']) {
    assert.deepEqual(
      (await runToEnd(box, bundle({ ...ref, fence }, 'x'))).result,
      { kind: 'refused', why: 'fenced' },
      fence,
    );
  }
  assert.equal((await runToEnd(box, bundle({ ...ref, fence: '700.3.1' }, 'x'))).log.text, 'up\nend\n');
  assert.equal((await running).result.kind, 'exited');
  assert.deepEqual((await runToEnd(box, bundle(ref, 'x'))).result, { kind: 'refused', why: 'fenced' });
});
