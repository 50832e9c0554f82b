import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalog } from '@capstan/catalog';
import { renderText } from '@capstan/model';
import { changed, HOST_PACK, load, TRY_PACK, told, writePacks } from './write-pack.js';

test('[S14] a job of each host gives capabilities of the host only', async (context) => {
  const outputs = 'outputs: {capabilities: [thing.installed]';
  assert.deepEqual(
    await told(
      context,
      changed('jobs/install.yaml', outputs, 'outputs: {capabilities: [thing.installed, thing.ready]'),
    ),
    [
      'try/jobs/install.yaml invalid_value 7:45 | a capability of the host; a roll-up of the stage turns those of all hosts into one of the target',
    ],
  );
  assert.deepEqual(
    (
      await told(
        context,
        changed(
          'jobs/install.yaml',
          outputs,
          'outputs: {capabilities: [{capability: thing.installed, on: target}]',
        ),
      )
    ).length,
    1,
  );
});

test('[S14] a reference that fits the host and the target, or two bindings, must say which it means', async (context) => {
  const onNode = changed(
    'scenarios/install.yaml',
    'target_resource_type: thing',
    'target_resource_type: node',
  );
  const told1 = await told(context, onNode);
  assert.ok(
    told1.includes('try/jobs/install.yaml ambiguous_subject 6:27 | on: one of host, target'),
    told1.join('\n'),
  );
  const bound = (requires: string) => ({
    'pack.yaml': (TRY_PACK['pack.yaml'] ?? '')
      .replace('[{id: thing,', '[{id: store, key: store}, {id: thing,')
      .replace('artifacts:', '  - {id: store.open, of: store}\nartifacts:'),
    'jobs/verify.yaml': (TRY_PACK['jobs/verify.yaml'] ?? '').replace(
      '[thing.installed]',
      '[thing.installed, store.open]',
    ),
    'scenarios/install.yaml': (TRY_PACK['scenarios/install.yaml'] ?? '').replace(
      '  provides:',
      `${requires}  provides:`,
    ),
  });
  await load(context, bound('  requires: [store.open]\n'));
  assert.deepEqual(
    await told(
      context,
      bound('  requires: [{as: a, capability: store.open}, {as: b, capability: store.open}]\n'),
    ),
    ['try/jobs/verify.yaml ambiguous_subject 4:44 | on: one of binding:a, binding:b'],
  );
  assert.deepEqual(await told(context, bound('')), [
    'try/jobs/verify.yaml ambiguous_subject 4:44 | {capability: store.open, on: …}, or a requirement that binds a store',
  ]);
});

test('[S14] the sets and bindings that a job names are those of the scenario that uses it', async (context) => {
  assert.deepEqual(await told(context, changed('jobs/verify.yaml', 'first(servers)', 'first(server)')), [
    'try/jobs/verify.yaml unknown_reference 3:11 | did you mean servers?',
  ]);
  assert.deepEqual(
    await told(
      context,
      changed('jobs/verify.yaml', '[thing.installed]', '[{capability: thing.installed, on: all(hosts)}]'),
    ),
    ['try/jobs/verify.yaml unknown_reference 4:27 | one of servers'],
  );
  assert.deepEqual(
    await told(context, changed('checks/there.yaml', 'script:', 'from: first(serverz), script:')),
    ['try/checks/there.yaml unknown_reference 1:32 | did you mean servers?'],
  );
});

test('[S21] what a scenario or a stage promises is given by one of its jobs', async (context) => {
  assert.deepEqual(
    await told(context, changed('scenarios/install.yaml', 'jobs: [verify-thing]', 'jobs: []')),
    ['try/scenarios/install.yaml unknown_reference 8:14 | a job that gives it; given here: thing.installed'],
  );
  assert.deepEqual(
    (
      await told(
        context,
        changed(
          'scenarios/install.yaml',
          'jobs: [install-thing]',
          'jobs: [install-thing], provides: [thing.ready]',
        ),
      )
    ).length,
    1,
  );
});

test('[S30] the same name from two packs is refused, unless one says that it implements the other', async (context) => {
  const twice = changed(
    'pack.yaml',
    '  - {id: thing.installed,',
    '  - {id: ssh.access, of: node}\n  - {id: thing.installed,',
  );
  assert.deepEqual(await told(context, twice), [
    'try/pack.yaml duplicate_id 4:10 | another name, or implements: host',
  ]);
  await load(
    context,
    changed(
      'pack.yaml',
      '  - {id: thing.installed,',
      '  - {id: ssh.access, of: node, implements: host}\n  - {id: thing.installed,',
    ),
  );
});

test('[S30] root and secrets of other packs are used only with a permission', async (context) => {
  assert.deepEqual(await told(context, changed('pack.yaml', '{sudo: true}', '{sudo: false}')), [
    'try/jobs/install.yaml not_allowed 8:39 | permissions: {sudo: true} in the pack, or as: login',
  ]);
  const host = {
    ...HOST_PACK,
    'pack.yaml': `${HOST_PACK['pack.yaml']}artifacts: [{name: host_key, of: node, sensitive: true}]\n`,
  };
  const reads = changed('jobs/install.yaml', '[thing_password]', '["host:host_key"]');
  assert.deepEqual(await told(context, reads, host), [
    'try/jobs/install.yaml not_allowed 6:52 | permissions: {artifacts: [host:host_key]} in the pack',
  ]);
  assert.deepEqual(
    await told(
      context,
      { ...reads, ...changed('pack.yaml', '{sudo: true}', '{sudo: true, artifacts: ["host:host_key"]}') },
      host,
    ),
    [],
  );
});

test('[S30] a pack without permissions loads with a note, and its checks stay with the login user', async (context) => {
  const bare = changed('pack.yaml', 'permissions: {sudo: true}\n', '');
  const root = writePacks(context, { host: HOST_PACK, try: { ...TRY_PACK, ...bare } });
  const { packs, problems } = await loadCatalog([root]);
  assert.deepEqual(problems, []);
  const loaded = packs.find(({ pack }) => pack.name === 'try');
  assert.deepEqual(
    loaded?.notes.map((note) => renderText(note)),
    ['a job runs as root, and the pack lists no permissions'],
  );
  assert.deepEqual(
    await told(context, { ...bare, ...changed('checks/there.yaml', 'script:', 'as: root, script:') }),
    ['try/checks/there.yaml not_allowed 1:30 | permissions: {sudo: true} in the pack, or as: login'],
  );
});
