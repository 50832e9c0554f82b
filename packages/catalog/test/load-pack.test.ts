import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadCatalog, loadPack } from '@capstan/catalog';
import type { Pack, Problem } from '@capstan/model';
import { renderText } from '@capstan/model';
import { HOST_PACK, type PackFiles, TRY_PACK, writePacks } from './write-pack.js';

/** The problems of `try` with changed files beside `host`, as `file code line:column | expected`. */
async function told(
  context: TestContext,
  changes: PackFiles,
  host: PackFiles = HOST_PACK,
): Promise<string[]> {
  const root = writePacks(context, { host, try: { ...TRY_PACK, ...changes } });
  const { problems } = await loadCatalog([root]);
  return problems.map(
    ({ place, code, expected }) =>
      `${place?.file.slice(root.length + 1)} ${code} ${place?.line}:${place?.column} | ${expected}`,
  );
}

async function load(context: TestContext, changes: PackFiles = {}): Promise<Pack> {
  const root = writePacks(context, { host: HOST_PACK, try: { ...TRY_PACK, ...changes } });
  const { catalog, problems } = await loadCatalog([root]);
  assert.deepEqual(problems, []);
  const pack = catalog.packs.find(({ name }) => name === 'try');
  assert.ok(pack);
  return pack;
}

/** A file of the pack with one piece of its text changed. */
function changed(path: string, from: string, to: string): PackFiles {
  const text = TRY_PACK[path] ?? '';
  assert.ok(text.includes(from), `${path} has no ${from}`);
  return { [path]: text.replace(from, to) };
}

test('a pack becomes the model: durations in milliseconds, defaults and proofs written out', async (context) => {
  const pack = await load(context);
  const job = pack.jobs.find(({ id }) => id === 'install-thing');
  assert.deepEqual(job?.place, { kind: 'each', set: 'servers' });
  assert.deepEqual(job?.run, {
    kind: 'script',
    script: 'files/install.sh',
    as: 'root',
    timeoutMs: 300_000,
    idempotent: true,
    retry: { limit: 2, backoffMs: 10_000, on: ['transient'] },
  });
  assert.deepEqual(job?.with, { name: { kind: 'cel', source: 'params.name' } });
  assert.deepEqual(job?.contract.inputs, {
    capabilities: [{ capability: 'ssh.access' }],
    artifacts: [{ name: 'thing_password', optional: false }],
  });
  assert.deepEqual(job?.notExecuted, []);
  assert.deepEqual(pack.scenarios[0]?.generate, [
    { artifact: 'thing_password', generator: { kind: 'password', length: 32 } },
  ]);
  assert.deepEqual(pack.scenarios[0]?.hostSets, [{ name: 'servers' }]);
  assert.deepEqual(pack.checks[0]?.freshForMs, 600_000);
  assert.equal(pack.artifacts[0]?.identity, 'content');
  assert.deepEqual(Object.keys(pack.files), ['files/install.sh', 'files/there.sh']);
});

test('[L1] all evidence proves each capability, and an artifact only where the job says so', async (context) => {
  const pack = await load(context);
  assert.deepEqual(pack.jobs.find(({ id }) => id === 'install-thing')?.proves, {
    'thing.installed': ['thing_there'],
  });
  const proving = await load(
    context,
    changed('jobs/install.yaml', '  run:', '  proves: {thing_report: [thing_there]}\n  run:'),
  );
  assert.deepEqual(proving.jobs.find(({ id }) => id === 'install-thing')?.proves, {
    'thing.installed': ['thing_there'],
    thing_report: ['thing_there'],
  });
  assert.deepEqual(await told(context, changed('jobs/install.yaml', ', evidence: [thing_there]', '')), [
    'try/jobs/install.yaml incomplete 1:1 | outputs.evidence',
  ]);
  assert.deepEqual(
    await told(
      context,
      changed('jobs/install.yaml', '  run:', '  proves: {thing.instaled: [thing_there]}\n  run:'),
    ),
    ['try/jobs/install.yaml unknown_reference 8:12 | did you mean thing.installed?'],
  );
});

test('[V03] CRLF in a script is told with file and line, before anything starts on a host', async (context) => {
  const root = writePacks(context, {
    host: HOST_PACK,
    try: { ...TRY_PACK, 'files/install.sh': '#!/bin/sh\nexit 0\r\n' },
  });
  const { problems, catalog } = await loadCatalog([root]);
  assert.deepEqual(
    catalog.packs.map(({ name }) => name),
    ['host'],
  );
  const [problem] = problems;
  assert.equal(problem?.code, 'crlf_in_script');
  assert.deepEqual(problem?.place, { file: join(root, 'try/files/install.sh'), line: 2, column: 7 });
  assert.match(problem === undefined ? '' : renderText(problem.text), /CRLF in a script/);
  const everywhere = await told(context, {
    'files/install.sh': '#!/bin/sh\r\nexit 0\r\n',
    'files/there.sh': '#!/bin/sh\r\n',
  });
  assert.deepEqual(
    everywhere.map((line) => line.split(' ').slice(0, 3).join(' ')),
    ['try/files/install.sh crlf_in_script 1:10', 'try/files/there.sh crlf_in_script 1:10'],
  );
  // Data that is no script may end its lines as it likes, and so may the documents.
  await load(context, {
    'files/windows.ini': 'a=1\r\n',
    'jobs/verify.yaml': (TRY_PACK['jobs/verify.yaml'] ?? '').replaceAll('\n', '\r\n'),
  });
});

test('[V13] a broken file in a pack is never passed over', async (context) => {
  assert.deepEqual(
    await told(context, {
      'jobs/dup.yaml': 'job:\n  id: dup\n  run:\n    command: [a]\n    command: [b]\n',
      'checks/notyaml.yml': 'a: [b\n',
    }),
    [
      'try/checks/notyaml.yml invalid_yaml 2:1 | YAML 1.2',
      'try/jobs/dup.yaml duplicate_key 5:5 | each key once',
    ],
  );
  assert.equal(
    (await told(context, { 'other/deep/broken.yaml': '{' }))[0]?.split(' ')[0],
    'try/other/deep/broken.yaml',
  );
  assert.equal(
    (await told(context, { 'jobs/empty.yaml': '' }))[0],
    'try/jobs/empty.yaml no_documents 1:1 | a YAML document',
  );
});

test('every name must be declared, and is told with the nearest one at its place', async (context) => {
  assert.deepEqual(
    await told(context, changed('jobs/install.yaml', 'evidence: [thing_there]', 'evidence: [thing_ther]')),
    ['try/jobs/install.yaml unknown_reference 7:84 | did you mean thing_there?'],
  );
  assert.deepEqual(
    await told(context, changed('scenarios/install.yaml', '[install-thing]', '[instal-thing]')),
    ['try/scenarios/install.yaml unknown_reference 11:28 | did you mean install-thing?'],
  );
  assert.deepEqual(await told(context, changed('jobs/install.yaml', '[ssh.access]', '[ssh.acess]')), [
    'try/jobs/install.yaml unknown_reference 6:27 | did you mean ssh.access?',
  ]);
  assert.deepEqual(await told(context, changed('jobs/install.yaml', '[thing_password]', '[thing_pasword]')), [
    'try/jobs/install.yaml unknown_reference 6:52 | did you mean thing_password?',
  ]);
  assert.deepEqual(
    await told(context, changed('pack.yaml', 'of: thing, version: 1', 'of: thin, version: 1')),
    ['try/pack.yaml unknown_reference 5:27 | did you mean thing?'],
  );
  assert.deepEqual(
    await told(context, changed('pack.yaml', 'health: [thing_there]', 'health: [thing_gone]')),
    ['try/pack.yaml unknown_reference 2:53 | one of host:ssh_answers, thing_there'],
  );
});

test('a script that is not in the pack is a missing file, with the nearest one', async (context) => {
  assert.deepEqual(
    await told(context, changed('jobs/install.yaml', 'files/install.sh', 'files/bin/install.sh')),
    ['try/jobs/install.yaml missing_file 8:17 | did you mean files/install.sh?'],
  );
  assert.deepEqual(
    (await told(context, changed('checks/there.yaml', 'files/there.sh', 'files/gone.sh'))).map(
      (line) => line.split(' |')[0],
    ),
    ['try/checks/there.yaml missing_file 1:34'],
  );
});

test('an id that two documents bear is told with both places', async (context) => {
  const root = writePacks(context, {
    host: HOST_PACK,
    try: { ...TRY_PACK, 'jobs/again.yaml': TRY_PACK['jobs/install.yaml'] },
  });
  const { problems } = await loadCatalog([root]);
  assert.deepEqual(
    problems.map(({ code, place, alsoAt }) => [code, place?.file, alsoAt?.[0]?.file]),
    [['duplicate_id', join(root, 'try/jobs/install.yaml'), join(root, 'try/jobs/again.yaml')]],
  );
});

test('[S36] what is only incomplete is refused as part of a pack, with what is missing', async (context) => {
  assert.deepEqual(
    await told(context, {
      'jobs/later.yaml':
        'job: {id: later, outputs: {capabilities: [thing.ready], evidence: [thing_there]}}\n',
    }),
    ['try/jobs/later.yaml incomplete 1:1 | target, run'],
  );
  assert.deepEqual(await told(context, changed('scenarios/install.yaml', '  version: 1.0.0\n', '')), [
    'try/scenarios/install.yaml incomplete 1:1 | version',
  ]);
  assert.deepEqual(
    await told(
      context,
      changed('pack.yaml', 'pack: {name: try, version: 1.0.0, publisher: test, needs: {host: ^1}}\n', ''),
    ),
    ['try/pack.yaml incomplete 1:1 | pack: {name, version} in pack.yaml'],
  );
  assert.deepEqual(
    (await told(context, { 'jobs/contract.yaml': 'inputs: {capabilities: [ssh.access]}\n' })).map(
      (line) => line.split(' |')[0],
    ),
    ['try/jobs/contract.yaml incomplete 1:1'],
  );
});

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
  assert.deepEqual(await told(context, changed('pack.yaml', 'permissions: {sudo: true}\n', '')), [
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

test('a digest changes with what a job or check does, and not with its words', async (context) => {
  const digests = async (changes: PackFiles) => {
    const pack = await load(context, changes);
    const job = pack.jobs.find(({ id }) => id === 'install-thing');
    return {
      pack: pack.digest,
      job: job?.digest,
      check: pack.checks[0]?.digest,
      scenario: pack.scenarios[0]?.digest,
    };
  };
  const base = await digests({});
  assert.deepEqual(await digests({}), base);
  const script = await digests({ 'files/install.sh': '#!/bin/sh\nexit 1\n' });
  assert.notEqual(script.job, base.job);
  assert.equal(script.check, base.check);
  const checkScript = await digests({ 'files/there.sh': '#!/bin/sh\nexit 1\n' });
  assert.notEqual(checkScript.check, base.check);
  assert.notEqual(checkScript.job, base.job);
  const titled = await digests(
    changed(
      'jobs/install.yaml',
      '  target:',
      '  title: Another title\n  estimate: {p50: 1s, p90: 2s}\n  target:',
    ),
  );
  assert.equal(titled.job, base.job);
  assert.notEqual(titled.pack, base.pack);
  const timed = await digests(changed('jobs/install.yaml', 'timeout: 5m', 'timeout: 6m'));
  assert.notEqual(timed.job, base.job);
  assert.equal(timed.scenario, base.scenario);
});

test('what is accepted and not executed yet is listed; what says nothing is not', async (context) => {
  const pack = await load(context, {
    ...changed(
      'jobs/install.yaml',
      '  sandbox: any',
      '  sandbox: any\n  undo: verify-thing\n  when: "true"\n  parallel: {max_unavailable: 1}\n  risk: high\n  summary: words',
    ),
    ...changed(
      'scenarios/install.yaml',
      '  stages:',
      '  gates: []\n  locks: []\n  exports: {artifacts: [], attributes: {}}\n  membership: {servers: {add: servers}}\n  editable: {stages: all}\n  stages:',
    ),
    ...changed('checks/there.yaml', 'script:', "from: 'first(healthy(servers))', script:"),
  });
  assert.deepEqual(pack.jobs.find(({ id }) => id === 'install-thing')?.notExecuted, [
    'when',
    'undo',
    'parallel',
  ]);
  assert.deepEqual(pack.scenarios[0]?.notExecuted, ['membership']);
  assert.deepEqual(pack.checks[0]?.notExecuted, ['from']);
  const other = await load(context, changed('jobs/verify.yaml', 'first(servers)', 'any(servers)'));
  const verify = other.jobs.find(({ id }) => id === 'verify-thing');
  assert.deepEqual(verify?.place, { kind: 'other', source: 'any(servers)' });
  assert.deepEqual(verify?.notExecuted, ['target']);
});

test('failure signatures and tests of a pack are read and noted, not executed', async (context) => {
  const root = writePacks(context, {
    host: HOST_PACK,
    try: {
      ...TRY_PACK,
      'failures/disk.yaml': 'failure: {id: disk-full, pattern: "No space"}\n',
      'tests/plan.yaml': 'test: {id: plan}\n',
    },
  });
  const { packs, problems } = await loadCatalog([root]);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    packs.find(({ pack }) => pack.name === 'try')?.notes.map((note) => renderText(note)),
    ['failures: accepted in a pack, not executed yet', 'tests: accepted in a pack, not executed yet'],
  );
});

test('a folder is read as data: links are refused, and bytes are those of the files', async (context) => {
  const root = writePacks(context, { host: HOST_PACK, try: TRY_PACK });
  const { packs } = await loadCatalog([root]);
  const loaded = packs.find(({ pack }) => pack.name === 'try');
  assert.equal(Buffer.from(loaded?.bytes.get('files/install.sh') ?? []).toString(), '#!/bin/sh\nexit 0\n');
  symlinkSync('/etc/hostname', join(root, 'try/files/link'));
  const { problems } = await loadCatalog([root]);
  assert.deepEqual(
    problems.map(({ code, place }) => `${code} ${place?.file}`),
    [`invalid_value ${join(root, 'try/files/link')}`],
  );
});

test('one pack loads beside the packs that it is given, and says which one it lacks', async (context) => {
  const root = writePacks(context, { host: HOST_PACK, try: TRY_PACK });
  const host = await loadPack(join(root, 'host'));
  assert.ok(host.ok);
  const alone = await loadPack(join(root, 'try'));
  assert.ok(!alone.ok);
  assert.deepEqual(
    alone.problems.map((problem: Problem) => [problem.code, renderText(problem.text)]),
    [['unknown_reference', 'nobody declares the pack host']],
  );
  const beside = await loadPack(join(root, 'try'), [host.value.pack]);
  assert.ok(beside.ok);
  const absent = await loadPack(join(root, 'nothing'));
  assert.ok(!absent.ok);
  assert.deepEqual(
    absent.problems.map(({ code }) => code),
    ['missing_file'],
  );
});
