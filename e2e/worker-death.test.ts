import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder, processesOf, startProduct, until } from './product.js';

test('[C01] a worker killed in the middle of a job comes back: one effect, the output whole', async (t) => {
  const data = dataFolder(t);
  const product = await startProduct(t, data, {
    CAPSTAN_LEASE: '2s',
    CAPSTAN_HEARTBEAT: '500ms',
    CAPSTAN_SWEEP: '500ms',
  });
  const ticks = 80;
  const file = join(data, 'trial.yaml');
  writeFileSync(
    file,
    `intent: {action: run, target_resource_type: trial, desired_result: {name: c01, ticks: ${ticks}}, hosts: [node/lab-3]}\n`,
  );
  const { operation } = (await product.cli('apply', '-f', file, '--yes', '--json')).json<{
    operation: string;
  }>();
  await until('the job prints', 30_000, async () =>
    (await product.cli('logs', operation, 'tick')).stdout.includes('tick 3'),
  );

  const worker = processesOf(product.pid, data).find((one) => /main\.js worker$/.test(one.command));
  assert.ok(worker, 'no worker was found');
  process.kill(worker.pid, 'SIGKILL');

  const logs = await product.cli('logs', operation, 'tick', '--follow');
  assert.equal(logs.stdout, Array.from({ length: ticks }, (_, i) => `tick ${i}\n`).join(''));
  const shown = (await product.cli('operation', 'show', operation, '--json')).json<{
    status: string;
    nodes: {
      key: string;
      attempt: number;
      evidence: { check: string; observed: string; verdict: string }[];
    }[];
  }>();
  assert.equal(shown.status, 'succeeded');
  const tick = shown.nodes.find((node) => node.key === 'tick');
  assert.equal(tick?.attempt, 1);
  const marked = tick?.evidence.find((one) => one.check === 'trial:marked' && one.verdict === 'confirmed');
  assert.equal(marked?.observed.trim().split('\n').at(-1), '1', 'the mark was left exactly once');
});
