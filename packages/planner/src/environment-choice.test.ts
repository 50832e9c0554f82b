import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appPack,
  fact,
  HOST_PACK,
  host,
  job,
  planned,
  problemsOf,
  resource,
} from './planning.test-support.js';

const packs = [appPack({ jobs: [job('install', { needs: ['ssh.access'] })] }), HOST_PACK];
const hosts = [host('a'), host('p', { environment: 'prod' }), host('d', { environment: 'default' })];
const environments = [
  { name: 'default', kind: 'standard' as const },
  { name: 'prod', kind: 'standard' as const },
  { name: 'lab', kind: 'lab' as const },
];
const world = { hosts, environments };

test('[S31] environment: what the intent says, else that of its hosts, else default', () => {
  assert.equal(
    planned({ packs, world, intent: { hosts: ['p'], constraints: { environment: 'prod' } } }).environment,
    'prod',
  );
  assert.equal(planned({ packs, world, intent: { hosts: ['a'] } }).environment, 'lab');
  const noHosts = [appPack({ jobs: [], scenario: { hostSets: [] } }), HOST_PACK];
  assert.equal(planned({ packs: noHosts, world, intent: { hosts: null } }).environment, 'default');
  assert.equal(
    planned({ packs: noHosts, world: { ...world, environments: [] }, intent: { hosts: null } }).environment,
    'default',
  );
});

test('[S31] hosts of another environment, or of several, are refused', () => {
  assert.deepEqual(
    problemsOf({ packs, world, intent: { hosts: ['a'], constraints: { environment: 'prod' } } }).map((p) => [
      p.code,
      p.text.code,
    ]),
    [['invalid_parameter', 'plan.host_elsewhere']],
  );
  assert.deepEqual(
    problemsOf({ packs, world, intent: { hosts: ['a', 'p'] } }).map((p) => p.text.code),
    ['plan.hosts_in_several_environments'],
  );
});

test('an unknown environment is refused with the nearest one', () => {
  const [problem] = problemsOf({ packs, world, intent: { constraints: { environment: 'prd' } } });
  assert.deepEqual(
    [problem?.code, problem?.expected],
    ['unknown_resource', 'did you mean "prod"? One of: default, lab, prod'],
  );
  assert.deepEqual(
    problemsOf({ packs, world, intent: { constraints: { environment: 7 } } }).map((p) => p.code),
    ['invalid_parameter'],
  );
});

test('an existing resource stays in its environment', () => {
  const existing = { ...world, resources: [resource('app/main', 'app', 'prod')] };
  assert.deepEqual(
    problemsOf({ packs, world: existing, intent: { hosts: ['a'] } }).map((p) => p.code),
    ['conflict'],
  );
  const noHosts = [appPack({ jobs: [], scenario: { hostSets: [] } }), HOST_PACK];
  assert.equal(planned({ packs: noHosts, world: existing, intent: { hosts: null } }).environment, 'prod');
});

test('[S31] a stand-in fact resolves in a lab and nowhere else', () => {
  const standIn = (key: string) => fact(key, 'ssh.access', { provenance: 'stand_in' });
  const facts = [standIn('node/a'), standIn('node/p')];
  assert.deepEqual(
    planned({ packs, world: { ...world, facts }, intent: { hosts: ['a'] } }).nodes.map((n) => n.key),
    ['install[a]'],
  );
  const real = planned({ packs, world: { ...world, facts }, intent: { hosts: ['p'] } });
  assert.deepEqual(
    real.nodes.map((n) => [n.key, n.reason?.code]),
    [
      ['check-host[p]', 'plan.fact_stand_in'],
      ['install[p]', undefined],
    ],
  );
});

test('[S30] a pack that names its environments is refused in others', () => {
  const shy = appPack({ jobs: [], scenario: { hostSets: [] }, permissions: { environments: ['prod'] } });
  assert.deepEqual(
    problemsOf({ packs: [shy, HOST_PACK], world, intent: { hosts: null } }).map((p) => p.code),
    ['not_allowed'],
  );
  assert.equal(
    planned({ packs: [shy, HOST_PACK], world, intent: { hosts: null, constraints: { environment: 'prod' } } })
      .environment,
    'prod',
  );
});
