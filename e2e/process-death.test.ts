import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder, type Product, processesOf, startCli, startProduct, until } from './product.js';

const TICKS = 80;

/** Starts a job that prints for eight seconds and waits until it has begun. */
async function tickingOperation(product: Product, name: string): Promise<string> {
  const file = intentFile(product, name);
  const applied = await product.cli('apply', '-f', file, '--yes', '--json');
  assert.equal(applied.code, 0, applied.stderr);
  const { operation } = applied.json<{ operation: string }>();
  await until('the job prints', 30_000, async () =>
    (await product.cli('logs', operation, 'tick')).stdout.includes('tick 3'),
  );
  return operation;
}

function intentFile(product: Product, name: string): string {
  const file = join(product.data, `${name}.yaml`);
  writeFileSync(
    file,
    `intent: {action: run, target_resource_type: trial, desired_result: {name: ${name}, ticks: ${TICKS}}, hosts: [node/lab-3]}\n`,
  );
  return file;
}

/** It succeeded, in one attempt, with the whole output and one mark on the host. */
async function endsOnce(product: Product, operation: string): Promise<void> {
  const logs = await product.cli('logs', operation, 'tick', '--follow');
  assert.equal(logs.code, 0, logs.stderr);
  assert.equal(logs.stdout, Array.from({ length: TICKS }, (_, i) => `tick ${i}\n`).join(''));
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
}

test('processes die in the middle of a job', async (t) => {
  const data = dataFolder(t);
  const quick = { CAPSTAN_LEASE: '2s', CAPSTAN_HEARTBEAT: '500ms', CAPSTAN_SWEEP: '500ms' };
  const product = await startProduct(t, data, quick);

  await t.test('[C01] a killed worker comes back: one effect, the output whole', async () => {
    const operation = await tickingOperation(product, 'worker');
    const worker = processesOf(product.pid, data).find((one) => /main\.js worker$/.test(one.command));
    assert.ok(worker, 'no worker was found');
    process.kill(worker.pid, 'SIGKILL');
    await endsOnce(product, operation);
  });

  await t.test('an interrupted apply --wait leaves the operation running, and says so', async () => {
    const file = intentFile(product, 'wait');
    const waiting = startCli(['apply', '-f', file, '--yes', '--wait'], { CAPSTAN_DATA: data });
    await until('the job runs', 30_000, () => Promise.resolve(waiting.output().includes('tick: running')));
    waiting.process.kill('SIGINT');
    const { stderr } = await waiting.ended;
    const operation = /(op-\d+) goes on/.exec(stderr)?.[1];
    assert.ok(operation, stderr);
    await endsOnce(product, operation);
  });

  await t.test('a killed database comes back: the job goes on and ends once', async () => {
    const operation = await tickingOperation(product, 'database');
    const [pid] = readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
    // The API begins anew beside the database; how long that takes is the machine's matter, not this test's.
    await until('the API is ready again', 60_000, async () => {
      const answer = await fetch(new URL('readyz', product.url)).catch(() => null);
      return answer?.status === 200 && (await product.cli('get', 'hosts')).code === 0;
    });
    await endsOnce(product, operation);
  });
});
