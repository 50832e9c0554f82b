import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadCatalog } from '@capstan/catalog';
import { bytesHash, renderText } from '@capstan/model';
import { HOST_PACK, TRY_PACK, writePacks } from './write-pack.js';

const shipped = fileURLToPath(new URL('../../../scenario-packs', import.meta.url));

test('the packs that come with the product load without a problem, and everything in them is executed', async () => {
  const { catalog, packs, problems } = await loadCatalog([shipped]);
  assert.deepEqual(problems, []);
  const names = catalog.packs.map(({ name }) => name);
  assert.ok(names.includes('host') && names.includes('postgres'), names.join(', '));
  for (const pack of catalog.packs)
    for (const item of [...pack.jobs, ...pack.checks, ...pack.scenarios])
      assert.deepEqual(item.notExecuted, [], item.id);
  for (const { pack, bytes } of packs)
    assert.deepEqual(
      Object.fromEntries([...bytes].map(([path, data]) => [path, bytesHash(data)])),
      pack.files,
    );
});

test('needed packs come first, whatever their names and folders are', async (context) => {
  const root = writePacks(context, { aaa: TRY_PACK, zzz: HOST_PACK });
  const { catalog, problems } = await loadCatalog([root]);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    catalog.packs.map(({ name }) => name),
    ['host', 'try'],
  );
});

test('a needed pack must be there, in a version that fits, and sound itself', async (context) => {
  const said = async (packs: Parameters<typeof writePacks>[1]) => {
    const root = writePacks(context, packs);
    const { catalog, problems } = await loadCatalog([root]);
    return [
      catalog.packs.map(({ name }) => name),
      problems.map(({ code, text, expected }) => `${code}: ${renderText(text)} | ${expected}`),
    ];
  };
  assert.deepEqual(await said({ try: TRY_PACK }), [
    [],
    ['unknown_reference: nobody declares the pack host | there is no pack here'],
  ]);
  const old = { ...HOST_PACK, 'pack.yaml': (HOST_PACK['pack.yaml'] ?? '').replace('1.2.0', '0.9.0') };
  assert.deepEqual(await said({ host: old, try: TRY_PACK }), [
    ['host'],
    ['unknown_reference: it needs host ^1 and finds 0.9.0 | host in a version that ^1 allows'],
  ]);
  const broken = { ...HOST_PACK, 'jobs/broken.yaml': 'job: {id: a, titel: b}\n' };
  assert.deepEqual(await said({ host: broken, try: TRY_PACK }), [
    [],
    [
      'unknown_key: unknown key titel in job | did you mean title?',
      'unknown_reference: the needed pack host has problems itself | the pack host without problems',
    ],
  ]);
  const ring = {
    ...HOST_PACK,
    'pack.yaml': (HOST_PACK['pack.yaml'] ?? '').replace('1.2.0', '1.2.0, needs: {try: ^1}'),
  };
  const [names, problems] = await said({ host: ring, try: TRY_PACK });
  assert.deepEqual(names, []);
  assert.deepEqual(
    (problems ?? []).map((problem) => problem.split(':')[0]),
    ['cycle', 'cycle'],
  );
});

test('the same pack in two folders is told with both places; the first one stays', async (context) => {
  const root = writePacks(context, { one: HOST_PACK, two: HOST_PACK });
  const { catalog, problems } = await loadCatalog([root]);
  assert.deepEqual(
    catalog.packs.map(({ name }) => name),
    ['host'],
  );
  assert.deepEqual(
    problems.map(({ code, place, alsoAt }) => [code, place?.file, alsoAt?.[0]?.file]),
    [['duplicate_id', join(root, 'two/pack.yaml'), join(root, 'one/pack.yaml')]],
  );
});

test('[V13] a folder that is no pack, or not there, is told and not passed over', async (context) => {
  const root = writePacks(context, { host: HOST_PACK, other: { 'jobs/a.yaml': 'job: {id: a}\n' } });
  mkdirSync(join(root, 'empty'));
  const { catalog, problems } = await loadCatalog([root, join(root, 'nowhere')]);
  assert.deepEqual(
    catalog.packs.map(({ name }) => name),
    ['host'],
  );
  assert.deepEqual(
    problems.map(({ code, place }) => `${code} ${place?.file.slice(root.length + 1)}`),
    ['missing_file nowhere', 'no_documents empty/pack.yaml', 'incomplete other/pack.yaml'],
  );
});

test('a folder that is a pack itself is that pack', async (context) => {
  const root = writePacks(context, { host: HOST_PACK });
  const { catalog } = await loadCatalog([join(root, 'host')]);
  assert.deepEqual(
    catalog.packs.map(({ name }) => name),
    ['host'],
  );
});
