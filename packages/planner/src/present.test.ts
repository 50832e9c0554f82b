import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PLAN_TEXTS } from '@capstan/model';
import { appPack, HOST_PACK, job, planned } from './planning.test-support.js';
import { presentPlan } from './present.js';

test('plan --json: the names of the outside form, texts as plain strings', () => {
  const plan = planned({
    packs: [
      appPack({ jobs: [job('x', { needs: ['ssh.access'] })], scenario: { risk: 'medium' } }),
      HOST_PACK,
    ],
  });
  const reason = 'ssh.access of node/a was never proved';
  assert.deepEqual(JSON.parse(JSON.stringify(presentPlan(plan))), {
    hash: plan.hash,
    stages: [{ id: 'main', title: 'main' }],
    nodes: [
      {
        key: 'check-host[a]',
        kind: 'job',
        stage: 'main',
        job: 'host:check-host',
        target: 'node/a',
        dependsOn: [],
        origin: 'planner',
        reason,
      },
      {
        key: 'x[a]',
        kind: 'job',
        stage: 'main',
        job: 'app:x',
        target: 'node/a',
        dependsOn: ['check-host[a]'],
        origin: 'template',
        reason: null,
      },
    ],
    bindings: [
      {
        requirement: 'x[a]/ssh.access',
        kind: 'job',
        provider: 'check-host[a]',
        reason,
        candidates: [{ provider: 'check-host[a]', taken: true, reason }],
      },
    ],
    gates: [],
    risk: 'medium',
  });
  assert.equal(presentPlan(plan, 'ru').nodes[0]?.reason, 'ssh.access у node/a ещё не доказано');
});

test('[L11] every text code that planning can say has words in both languages, and no word is left over', () => {
  const folders = [new URL('.', import.meta.url), new URL('../../model/src/', import.meta.url)];
  const sources = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !/test|render/.test(name))
      .map((name) => readFileSync(new URL(name, folder), 'utf8')),
  );
  const used = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/'(plan\.[a-z_]+)'/g)].map((match) => match[1] as string),
    ),
  );
  for (const state of ['stale', 'failed', 'withdrawn', 'asserted']) used.add(`plan.fact_${state}`);
  assert.deepEqual([...used].sort(), Object.keys(PLAN_TEXTS).sort());
  const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string).sort();
  for (const [code, { en, ru }] of Object.entries(PLAN_TEXTS))
    assert.deepEqual(
      holes(ru).filter((hole) => !holes(en).includes(hole)),
      [],
      code,
    );
});
