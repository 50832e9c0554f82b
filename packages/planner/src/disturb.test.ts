import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validatePlan } from '@capstan/model';
import { explain } from './explain.js';
import {
  appPack,
  check,
  edges,
  fact,
  HOST_PACK,
  hostCapability,
  job,
  planned,
  problemsOf,
  stage,
} from './planning.test-support.js';

const capabilities = ['net.up', 'cap.a'].map((id) => hostCapability(id));
const up = job('connect', { gives: ['net.up'], evidence: ['pings'] });
const reboot = job('reconfigure', { disturbs: ['net.up'] });
const use = job('use', { needs: ['net.up'] });
const checks = [check('ok'), check('pings')];

test('[S4] what a job disturbs is proved again at the end of its stage, before the next one', () => {
  const packs = [
    appPack({
      capabilities,
      checks,
      jobs: [up, reboot, job('other'), use],
      stages: [
        stage('one', ['connect']),
        stage('two', ['reconfigure', 'other'], ['one']),
        stage('three', ['use'], ['two']),
      ],
    }),
    HOST_PACK,
  ];
  const plan = planned({ packs });
  assert.deepEqual(edges(plan), {
    'connect[a]': [],
    'reconfigure[a]': ['connect[a]'],
    'other[a]': ['connect[a]'],
    'reprove-net.up[a]': ['other[a]', 'reconfigure[a]'],
    'use[a]': ['connect[a]', 'reprove-net.up[a]'],
  });
  const node = plan.nodes.find((n) => n.key === 'reprove-net.up[a]');
  assert.deepEqual(
    [node?.job, node?.origin, node?.stage, node?.target, node?.reason?.args['by']],
    ['capstan:reprove', 'planner', 'two', 'node/a', 'reconfigure[a]'],
  );
  assert.deepEqual(
    node?.checks.map((c) => [c.check, c.subject]),
    [['app:pings', 'node/a']],
  );
  assert.deepEqual(
    node?.proofs.map((p) => [p.capability, p.checks]),
    [['net.up', ['app:pings']]],
  );
  assert.equal(plan.jobs['capstan:reprove']?.run, null);
  assert.deepEqual(
    explain(plan, 'use[a]/net.up')?.candidates.map((c) => [c.provider, c.taken]),
    [
      ['reprove-net.up[a]', true],
      ['connect[a]', false],
    ],
  );
  assert.deepEqual(validatePlan(plan), []);
});

test('[S4] a fact that the plan uses is proved again by the checks of the job that gives it', () => {
  const packs = [
    appPack({
      capabilities,
      jobs: [job('use', { needs: ['ssh.access'] }), job('reconfigure', { disturbs: ['ssh.access'] })],
      stages: [stage('one', ['use', 'reconfigure'])],
    }),
    HOST_PACK,
  ];
  const plan = planned({ packs, world: { facts: [fact('node/a', 'ssh.access')] } });
  const node = plan.nodes.at(-1);
  assert.deepEqual(
    [node?.key, node?.dependsOn, node?.checks.map((c) => c.check)],
    ['reprove-ssh.access[a]', ['reconfigure[a]', 'use[a]'], ['host:ok']],
  );
});

test('[S4] nothing is proved again that nobody relies on, or that is proved later anyway', () => {
  const stages = (...jobs: string[]) => [stage('one', jobs)];
  const keys = (spec: Parameters<typeof appPack>[0]) =>
    planned({ packs: [appPack({ capabilities, checks, ...spec }), HOST_PACK] }).nodes.map((n) => n.key);
  assert.deepEqual(keys({ jobs: [reboot], stages: stages('reconfigure') }), ['reconfigure[a]']);
  assert.deepEqual(
    keys({
      jobs: [up, { ...up, id: 'again', disturbs: [{ capability: 'net.up' }] }],
      stages: stages('connect', 'again'),
    }),
    ['connect[a]', 'again[a]'],
  );
  const behind = {
    ...up,
    contract: { ...up.contract, inputs: { capabilities: [{ capability: 'cap.a' }], artifacts: [] } },
  };
  assert.deepEqual(
    keys({
      jobs: [job('reconfigure', { disturbs: ['net.up'], gives: ['cap.a'] }), behind],
      stages: stages('reconfigure', 'connect'),
    }),
    ['reconfigure[a]', 'connect[a]'],
  );
  assert.deepEqual(
    keys({ jobs: [reboot, up], stages: [stage('one', ['reconfigure']), stage('two', ['connect'], ['one'])] }),
    ['reconfigure[a]', 'connect[a]'],
  );
});

test('[S4] several disturbers of one stage owe one proof, two stages owe two', () => {
  const jobs = [up, reboot, job('again', { disturbs: ['net.up'] })];
  const one = planned({
    packs: [
      appPack({
        capabilities,
        checks,
        jobs,
        stages: [stage('one', ['connect']), stage('two', ['reconfigure', 'again'], ['one'])],
      }),
      HOST_PACK,
    ],
  });
  assert.deepEqual(
    one.nodes.filter((n) => n.job === 'capstan:reprove').map((n) => [n.key, n.reason?.args['by']]),
    [['reprove-net.up[a]', 'reconfigure[a], again[a]']],
  );
  const two = planned({
    packs: [
      appPack({
        capabilities,
        checks,
        jobs,
        stages: [
          stage('one', ['connect']),
          stage('two', ['reconfigure'], ['one']),
          stage('three', ['again'], ['two']),
        ],
      }),
      HOST_PACK,
    ],
  });
  assert.deepEqual(
    two.nodes.filter((n) => n.job === 'capstan:reprove').map((n) => [n.key, n.stage]),
    [
      ['reprove-net.up[a]', 'two'],
      ['reprove-net.up~2[a]', 'three'],
    ],
  );
});

test('[S4] a consumer that no barrier holds back still waits for the new proof', () => {
  const late = job('late', { needs: ['net.up', 'cap.a'] });
  const disturber = job('reconfigure', { disturbs: ['net.up'], gives: ['cap.a'] });
  const plan = planned({
    packs: [
      appPack({
        capabilities,
        checks,
        jobs: [up, disturber, late],
        stages: [stage('one', ['connect', 'reconfigure']), stage('two', ['late'])],
      }),
      HOST_PACK,
    ],
  });
  assert.deepEqual(edges(plan)['late[a]'], ['connect[a]', 'reconfigure[a]', 'reprove-net.up[a]']);
});

test('[S4] a disturbed fact that nothing could prove again is refused', () => {
  const packs = [
    appPack({
      capabilities,
      jobs: [job('use', { needs: ['cap.a'] }), job('reconfigure', { disturbs: ['cap.a'] })],
    }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs, world: { facts: [fact('node/a', 'cap.a')] } }).map((p) => [
      p.code,
      p.text.args['by'],
    ]),
    [['unmet_requirement', 'reconfigure[a]']],
  );
});
