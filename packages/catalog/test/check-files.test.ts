import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkFiles } from '@capstan/catalog';
import { HOST_PACK, TRY_PACK, writePacks } from './write-pack.js';

test('a document inside a pack is checked with the pack, and the packs beside it, around it', async (context) => {
  const root = writePacks(context, {
    host: HOST_PACK,
    try: TRY_PACK,
    alone: { 'install.yaml': TRY_PACK['jobs/install.yaml'] },
  });
  const [inside] = await checkFiles([join(root, 'try/jobs/install.yaml')]);
  assert.deepEqual([inside?.complete, inside?.missing], [true, []]);
  const [outside] = await checkFiles([join(root, 'alone/install.yaml')]);
  assert.deepEqual(outside?.missing, [
    'capability ssh.access',
    'artifact thing_password',
    'capability thing.installed',
    'artifact thing_report',
    'check thing_there',
    'script files/install.sh',
  ]);
  assert.deepEqual(outside?.problems, []);
});

test('[V13] every path has an entry: a folder its documents, an empty or absent one its problem', async (context) => {
  const root = writePacks(context, {
    host: HOST_PACK,
    bad: { 'a.yaml': 'a: [b', 'b.yaml': 'check: {id: b}' },
  });
  mkdirSync(join(root, 'empty'));
  const reports = await checkFiles(['nowhere.yaml', 'empty', 'bad', 'host'].map((path) => join(root, path)));
  assert.deepEqual(
    reports.map(({ file, kind, problems }) => [
      file.slice(root.length + 1),
      kind,
      problems.map(({ code }) => code).join(),
    ]),
    [
      ['nowhere.yaml', 'unknown', 'missing_file'],
      ['empty', 'unknown', 'no_documents'],
      ['bad/a.yaml', 'unknown', 'invalid_yaml'],
      ['bad/b.yaml', 'check', ''],
      ['host/checks/ssh.yaml', 'check', ''],
      ['host/jobs/check-host.yaml', 'job', ''],
      ['host/pack.yaml', 'pack', ''],
    ],
  );
});
