import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCatalog, loadPack } from '@capstan/catalog';
import type { Problem } from '@capstan/model';
import { renderText } from '@capstan/model';
import { changed, HOST_PACK, load, type PackFiles, TRY_PACK, told, writePacks } from './write-pack.js';

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
    ['try/pack.yaml unknown_reference 2:51 | one of host:ssh_answers, thing_there'],
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
