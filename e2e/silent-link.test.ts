import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { memoryEngine, ScriptedHosts, testHost, testPlan } from '@capstan/engine/testing';
import { startSandbox } from '@capstan/lab';
import { createSshHosts } from '@capstan/ssh';

const LINES = 50;
const SCRIPT = `#!/bin/sh\necho ran >>"$HOME/ledger"\nn=1\nwhile [ $n -le ${LINES} ]; do echo "line $n"; n=$((n+1)); sleep 1; done\nwc -l <"$HOME/ledger"\n`;

/**
 * The defaults that production uses (keepalive 5 s × 3), on real SSH and the real engine: one host falls silent for 40 s, one
 * for 10 s, while a job of 50 s runs on each.
 */
test('[C01] [C13] a link silent for 40 s is noticed within 25 s and attached to again; one silent for 10 s just goes on', async (t) => {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-silent-')));
  const lab = await startSandbox({
    dataDir,
    names: ['long', 'short'],
    standIns: join(import.meta.dirname, '../packages/lab/stand-ins'),
  });
  const key = readFileSync(lab.clientKeyFile, 'utf8');
  const hosts = createSshHosts({ credentials: () => Promise.resolve(key) });
  t.after(async () => {
    await hosts.close();
    await lab.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const engine = await memoryEngine(
    new ScriptedHosts(
      () => () => 0,
      () => () => ({ code: 0 }),
    ),
  );
  engine.packs.saved.set('pack-digest', {
    pack: { digest: 'pack-digest' } as never,
    files: new Map([['files/run.sh', new TextEncoder().encode(SCRIPT)]]),
  });
  const ids = new Map<string, string>();
  const worker = engine.worker(
    'w1',
    {
      leaseMs: 20_000,
      heartbeatMs: 5_000,
      unreachableAfterMs: 120_000,
      rideMs: 100,
      backoffMs: 500,
      maxBackoffMs: 2_000,
    },
    { hosts },
  );
  await worker.start();
  t.after(() => worker.stop());
  for (const box of lab.hosts) {
    await engine.inventory.addHost(
      {
        ...testHost(box.name),
        address: box.address,
        port: box.port,
        user: box.user,
        hostKeyFingerprint: box.hostKeyFingerprint,
        runRoot: null,
        secretRoot: null,
      },
      'lab',
    );
    const plan = testPlan([{ key: 'a', checks: { c: {} } }], {
      subject: { key: `thing/${box.name}`, type: 'thing', name: box.name },
    });
    const onBox = {
      ...plan,
      nodes: plan.nodes.map((n) => ({
        ...n,
        target: `node/${box.name}`,
        checks: n.checks.map((c) => ({ ...c, from: `node/${box.name}` })),
      })),
    };
    ids.set(box.name, await engine.start(onBox));
  }
  const [long, short] = [ids.get('long') ?? '', ids.get('short') ?? ''];
  await engine.until(
    'both print',
    () => [...engine.logs.logs.values()].filter((log) => log.length > 0).length === 2,
    20_000,
  );
  const cut = Date.now();
  for (const box of lab.hosts) box.faults.silence(box.name === 'long' ? 40_000 : 10_000);
  const disconnected = (id: string): boolean =>
    engine.operations.events.some((e) => e.operationId === id && e.type === 'attempt_disconnected');
  await engine.until('the dead link is noticed', () => disconnected(long), 30_000);
  const noticed = Date.now() - cut;
  assert.ok(noticed <= 25_000, `noticed after ${noticed} ms`);
  const over = async (id: string): Promise<boolean> =>
    (await engine.operations.load(id))?.status === 'succeeded';
  await engine.until('both end', async () => (await over(long)) && (await over(short)), 90_000);
  assert.ok(!disconnected(short), 'the short silence was no disconnection');
  assert.ok(engine.operations.events.some((e) => e.operationId === long && e.type === 'attempt_reconnected'));
  const whole = `${Array.from({ length: LINES }, (_, i) => `line ${i + 1}\n`).join('')}1\n`;
  for (const log of engine.logs.logs.values()) assert.equal(Buffer.from(log).toString(), whole);
  assert.deepEqual(engine.reported, []);
});
