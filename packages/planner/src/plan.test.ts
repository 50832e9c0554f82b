import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planHash, validatePlan } from '@capstan/model';
import { explain } from './explain.js';
import {
  appCapability,
  appPack,
  edges,
  fact,
  HOST_PACK,
  host,
  job,
  planned,
  problemsOf,
  stage,
} from './planning.test-support.js';

const web = appPack({
  capabilities: [appCapability('web.up'), appCapability('web.files')],
  jobs: [
    job('install', { at: 'first(web)', needs: ['ssh.access', 'linux.host'], gives: ['web.files'] }),
    job('serve', {
      at: 'first(web)',
      needs: ['ssh.access', 'web.files'],
      gives: ['web.up'],
      estimate: { p50Ms: 1000, p90Ms: 2000 },
    }),
  ],
  stages: [stage('prepare', ['install']), stage('run', ['serve'], ['prepare'])],
  scenario: { provides: [{ capability: 'web.up', on: { kind: 'target' } }], risk: 'medium' },
});
const given = { packs: [web, HOST_PACK] };

test('[S3] an intent becomes a plan: check-host is inserted, contracts and barriers are edges, promises are bound', () => {
  const plan = planned(given);
  assert.deepEqual(edges(plan), {
    'check-host[a]': [],
    install: ['check-host[a]'],
    serve: ['check-host[a]', 'install'],
  });
  assert.deepEqual(
    plan.nodes.map((node) => [node.stage, node.origin, node.target]),
    [
      ['prepare', 'planner', 'node/a'],
      ['prepare', 'template', 'node/a'],
      ['run', 'template', 'node/a'],
    ],
  );
  assert.equal(plan.subject.key, 'app/main');
  assert.equal(plan.environment, 'lab');
  assert.equal(plan.risk, 'medium');
  assert.equal(plan.estimate, null);
  assert.deepEqual(
    plan.packs.map((p) => p.name),
    ['app', 'host'],
  );
  assert.deepEqual(plan.sets, { web: ['node/a'] });
  assert.deepEqual(
    plan.provides.map((p) => [
      p.capability,
      p.subject,
      p.checks,
      p.bound.map((b) => [b.check, b.subject, b.from]),
    ]),
    [['web.up', 'app/main', ['app:ok'], [['app:ok', 'app/main', 'node/a']]]],
  );
  assert.deepEqual(validatePlan(plan), []);
  assert.equal(plan.hash, planHash(plan));
});

test('[L7] every requirement that was decided has a binding with its candidates', () => {
  const plan = planned(given);
  assert.deepEqual(
    plan.bindings.map((b) => [b.requirement, b.kind, b.provider, b.origin]),
    [
      ['install/ssh.access', 'job', 'check-host[a]', 'planner'],
      ['install/linux.host', 'job', 'check-host[a]', 'planner'],
      ['serve/ssh.access', 'job', 'check-host[a]', 'planner'],
      ['serve/web.files', 'job', 'install', 'template'],
    ],
  );
  assert.equal(explain(plan, 'install/ssh.access')?.reason.code, 'plan.fact_missing');
  assert.equal(explain(plan, 'install/nothing'), null);
});

test('[S27] the hash covers content, not the time of planning', () => {
  const first = planned(given);
  const later = planned({ ...given, world: { now: '2026-03-02T12:00:00.000Z' } });
  assert.equal(later.hash, first.hash);
  assert.notEqual(later.plannedAt, first.plannedAt);
  const otherHost = planned({ ...given, intent: { hosts: ['b'] } });
  assert.notEqual(otherHost.hash, first.hash);
});

test('[S3] with facts that hold nothing is inserted and each need is bound to its fact', () => {
  const plan = planned({
    ...given,
    world: { facts: [fact('node/a', 'ssh.access'), fact('node/a', 'linux.host')] },
  });
  assert.deepEqual(
    plan.nodes.map((node) => node.key),
    ['install', 'serve'],
  );
  const binding = explain(plan, 'install/ssh.access');
  assert.deepEqual([binding?.kind, binding?.provider], ['fact', 'node/a']);
  assert.deepEqual(
    binding?.candidates.map((c) => [c.provider, c.taken, c.reason.code]),
    [
      ['node/a', true, 'plan.fact_holds_until'],
      ['host:check-host', false, 'plan.not_needed'],
    ],
  );
});

test('[L8] a host with another pinned key is another plan', () => {
  const one = planned({ ...given, world: { hosts: [host('a', { hostKeyFingerprint: 'SHA256:one' })] } });
  const two = planned({ ...given, world: { hosts: [host('a', { hostKeyFingerprint: 'SHA256:two' })] } });
  assert.deepEqual(one.hostKeys, { 'node/a': 'SHA256:one' });
  assert.notEqual(one.hash, two.hash);
});

test('[V11] a misspelt parameter is told with its nearest name, even when it leaves the resource without a name', () => {
  const problems = problemsOf({ ...given, intent: { desiredResult: { nam: 'main' } } });
  assert.deepEqual(
    problems.map((problem) => [problem.code, problem.text.args['path'] ?? '']),
    [
      ['unknown_parameter', 'nam'],
      ['missing_value', ''],
    ],
  );
});
