import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropDraft, keepDraft, readDraft } from './draft';
import { namedParameters } from './form/named-parameters';
import { groupedBindings } from './grouped-bindings';
import { intentOf, type WantedScenario } from './intent';

const INSTALL: WantedScenario = {
  ref: 'postgres.install@1.0.0',
  action: 'install',
  targetResourceType: 'postgres',
  chosenSets: ['server'],
  ambiguous: false,
};

test('[V18] the intent of a form is in normal form: a list for the only host set, parameters in desired_result', () => {
  const intent = intentOf(INSTALL, {
    environment: 'lab',
    hosts: { server: ['lab-1'], gone: ['lab-9'] },
    parameters: { name: 'main', port: 0 },
  });
  assert.deepEqual(intent, {
    intent: {
      action: 'install',
      target_resource_type: 'postgres',
      desired_result: { name: 'main', port: 0 },
      constraints: { environment: 'lab' },
      hosts: ['lab-1'],
    },
  });
});

test('what nobody said is no key of the intent', () => {
  const intent = intentOf({ ...INSTALL, chosenSets: [] }, { environment: null, hosts: {}, parameters: {} });
  assert.deepEqual(intent, { intent: { action: 'install', target_resource_type: 'postgres' } });
});

test('several host sets are a map, and a scenario that is not the only one is named', () => {
  const scenario = { ...INSTALL, chosenSets: ['masters', 'workers', 'spare'], ambiguous: true };
  const hosts = { masters: ['a'], workers: ['b', 'c'], spare: [] };
  const { intent } = intentOf(scenario, { environment: 'lab', hosts, parameters: { name: 'k' } });
  assert.deepEqual(intent.hosts, { masters: ['a'], workers: ['b', 'c'] });
  assert.deepEqual(intent.constraints, { environment: 'lab', scenario: 'postgres.install@1.0.0' });
});

test('the name of the resource is asked for first, with the words of the scenario where it has them', () => {
  const own = { properties: { size: {}, name: { type: 'string', title: 'Database' } }, required: ['size'] };
  const named = namedParameters(own, 'postgres', 'Name');
  assert.deepEqual(Object.keys(named.properties as object), ['name', 'size']);
  assert.deepEqual(named.required, ['name', 'size']);
  assert.equal(JSON.stringify(named).includes('"title":"Database"'), true);
  const host = namedParameters({}, 'node', 'Host');
  assert.deepEqual(host.properties, { name: { title: 'Host', type: 'string', format: 'capstan-host' } });
});

test('[UX-S8] a draft comes back as it was; one that cannot be read is none', () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  const draft = { environment: 'lab', hosts: { server: ['lab-1'] }, parameters: { zero: 0, off: false } };
  assert.equal(keepDraft(storage, 'a@1', draft), true);
  assert.deepEqual(readDraft(storage, 'a@1'), draft);
  assert.equal(readDraft(storage, 'b@1'), null);
  items.set('capstan.new.a@1', '{"environment": 3, "hosts": {"server": [1, "x"]}, ');
  assert.equal(readDraft(storage, 'a@1'), null);
  items.set('capstan.new.a@1', '{"environment": 3, "hosts": {"server": [1, "x"]}}');
  assert.deepEqual(readDraft(storage, 'a@1'), {
    environment: null,
    hosts: { server: ['x'] },
    parameters: {},
  });
  dropDraft(storage, 'a@1');
  assert.equal(readDraft(storage, 'a@1'), null);
  const full = { ...storage, setItem: () => assert.fail('quota') };
  assert.equal(keepDraft(full, 'a@1', draft), false);
});

test('[L7] what is said of many steps is said once, with all of them', () => {
  const binding = (requirement: string, provider: string) => ({
    requirement,
    provider,
    kind: 'job' as const,
    origin: 'planner' as const,
    moreCount: 0,
    reason: { text: 'never proved' },
    candidates: [],
  });
  const groups = groupedBindings(
    [
      binding('a[h1]/ssh.access', 'look[h1]'),
      binding('database', 'postgres/main'),
      binding('b[h1]/ssh.access', 'look[h1]'),
      binding('b[h2]/ssh.access', 'look[h2]'),
    ],
    [{ key: 'a[h1]' }, { key: 'b[h1]' }, { key: 'b[h2]' }],
  );
  assert.deepEqual(
    groups.map(({ name, steps }) => [name, steps]),
    [
      ['ssh.access', ['a[h1]', 'b[h1]']],
      ['database', []],
      ['ssh.access', ['b[h2]']],
    ],
  );
});
