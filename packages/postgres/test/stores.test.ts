import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { HostConnection } from '@capstan/engine';
import type { Pack } from '@capstan/model';
import { openDatabase } from '@capstan/postgres';
import { fileDatabase } from './file-database.js';
import { SampleOperation, samplePlan } from './sample-operation.js';

const { server, db, sql } = await fileDatabase();

function sampleHost(name: string, more: Partial<HostConnection> = {}): HostConnection {
  return {
    id: db.ids.next('host'),
    name,
    key: `node/${name}`,
    environment: 'lab',
    address: '127.0.0.1',
    port: 2201,
    user: 'root',
    credential: 'sec_1',
    hostKeyFingerprint: null,
    runRoot: null,
    secretRoot: null,
    provenance: 'stand_in',
    isolated: true,
    tier: 'sandbox',
    ...more,
  };
}

test('a host is added once, with its resource and its environment', async () => {
  const host = sampleHost('lab-1');
  assert.equal(await db.inventory.addHost(host, 'lab'), 'added');
  assert.equal(
    await db.inventory.addHost({ ...host, id: 'host_other', address: '127.0.0.9' }, 'lab'),
    'exists',
  );
  const results = await Promise.all(
    [1, 2, 3, 4].map(() => db.inventory.addHost(sampleHost('lab-2', { environment: 'lab-x' }), 'lab')),
  );
  assert.deepEqual([...results].sort(), ['added', 'exists', 'exists', 'exists']);
  assert.deepEqual(await db.inventory.host('lab-1'), host);
  assert.equal(await db.inventory.host('lab-9'), null);
  assert.deepEqual(
    (await db.inventory.hosts()).map((h) => h.name),
    ['lab-1', 'lab-2'],
  );
  assert.deepEqual(await db.inventory.environments(), [
    { name: 'default', kind: 'standard' },
    { name: 'lab', kind: 'lab' },
    { name: 'lab-x', kind: 'lab' },
  ]);
  const resources = await db.inventory.resources();
  assert.deepEqual(
    resources.map((r) => [r.key, r.type, r.environment]),
    [
      ['node/lab-1', 'node', 'lab'],
      ['node/lab-2', 'node', 'lab-x'],
    ],
  );
});

test('a host is updated by what enrolment or a person changed, and nothing else', async () => {
  const change = {
    hostKeyFingerprint: 'SHA256:x',
    runRoot: '/var/lib/capstan',
    secretRoot: '/run/capstan',
    port: 2299,
    isolated: false,
  };
  assert.equal(await db.inventory.updateHost('lab-1', change), true);
  assert.deepEqual(await db.inventory.host('lab-1'), {
    ...(await db.inventory.host('lab-1')),
    ...change,
    name: 'lab-1',
    address: '127.0.0.1',
  });
  assert.equal(await db.inventory.updateHost('lab-9', change), false);
});

test('[S17] artifacts: the newest version of what outlives its operation, or belongs to the one asked for', async () => {
  const operation = new SampleOperation(db, samplePlan('postgres/art', ['a']));
  await db.store.create(operation.asNew());
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const artifact = (name: string, keep: 'resource' | 'operation', ref: string) => ({
    id: db.ids.next('art'),
    owner: 'postgres/art',
    name,
    sensitive: true,
    size: 5,
    contentHash: ref,
    storage: { kind: 'secret' as const, ref },
    keep,
    nodeKey: null,
    attemptId: null,
    ttlMs: null,
  });
  const artifacts = [
    artifact('password', 'resource', 's1'),
    artifact('password', 'resource', 's2'),
    artifact('note', 'operation', 's3'),
  ];
  assert.equal(await db.store.commit(lease, operation.change([], { artifacts })), 'committed');
  assert.equal(
    await db.store.commit(
      lease,
      operation.change([], { artifacts: [artifact('password', 'resource', 's4')] }),
    ),
    'committed',
  );
  const kept = await db.inventory.artifacts({ owner: 'postgres/art' });
  assert.deepEqual(
    kept.map((a) => [a.name, a.version, a.contentHash]),
    [['password', 3, 's4']],
  );
  const own = await db.inventory.artifacts({ operationId: operation.id });
  assert.deepEqual(
    own.map((a) => [a.name, a.version, a.operationId]),
    [
      ['note', 1, operation.id],
      ['password', 3, operation.id],
    ],
  );
  assert.deepEqual(await db.inventory.artifacts({ owner: 'postgres/none' }), []);
});

test('[S17] two operations that write one artifact at once get two versions', async () => {
  const drivers = await Promise.all(
    [1, 2, 3, 4].map(async (n) => {
      const operation = new SampleOperation(db, samplePlan(`postgres/race${n}`, ['a']));
      await db.store.create(operation.asNew());
      return { operation, lease: await db.store.lease(operation.id, `w${n}`, 20_000) };
    }),
  );
  const results = await Promise.all(
    drivers.map(async ({ operation, lease }) => {
      assert.ok(lease);
      return db.store.commit(
        lease,
        operation.change([], {
          artifacts: [
            {
              id: db.ids.next('art'),
              owner: 'node/lab-1',
              name: 'shared',
              sensitive: false,
              size: 1,
              contentHash: 'h',
              storage: { kind: 'blob', hash: 'h' },
              keep: 'resource',
              nodeKey: null,
              attemptId: null,
              ttlMs: null,
            },
          ],
        }),
      );
    }),
  );
  assert.deepEqual(results, ['committed', 'committed', 'committed', 'committed']);
  assert.equal((await db.inventory.artifacts({ owner: 'node/lab-1' }))[0]?.version, 4);
});

test('[S25] packs: what is active is the catalog, what was saved stays readable by its digest', async () => {
  const pack = (version: string, digest: string) =>
    ({ name: 'postgres', version, digest, title: 'P\u0000', files: {} }) as unknown as Pack;
  await db.packs.save(pack('1.0.0', 'd1'), new Map([['files/a.sh', Buffer.from([0, 255])]]));
  await db.packs.save(pack('1.0.0', 'd1'), new Map([['files/a.sh', Buffer.from('other')]]));
  await db.packs.save(pack('1.1.0', 'd2'), new Map());
  assert.deepEqual(await db.packs.catalog(), { packs: [] });
  await db.packs.activate(['d1']);
  assert.deepEqual((await db.packs.catalog()).packs, [pack('1.0.0', 'd1')]);
  await db.packs.activate(['d2']);
  assert.deepEqual(
    (await db.packs.catalog()).packs.map((p) => p.digest),
    ['d2'],
  );
  assert.deepEqual(await db.packs.file('d1', 'files/a.sh'), new Uint8Array([0, 255]));
  assert.equal(await db.packs.file('d1', 'files/b.sh'), null);
  await assert.rejects(db.packs.activate(['d1', 'd9']), { code: 'unknown_pack' });
  assert.deepEqual(
    (await db.packs.catalog()).packs.map((p) => p.digest),
    ['d2'],
  );
  await db.packs.activate([]);
  assert.deepEqual(await db.packs.catalog(), { packs: [] });
});

test('blobs are stored once by their hash', async () => {
  const bytes = new Uint8Array([0, 1, 2, 255]);
  const hash = await db.blobs.put(bytes);
  assert.equal(hash, createHash('sha256').update(bytes).digest('hex'));
  assert.equal(await db.blobs.put(bytes), hash);
  assert.deepEqual(await db.blobs.get(hash), bytes);
  assert.equal(await db.blobs.get('no'), null);
});

test('tokens are stored as hashes', async () => {
  await db.tokens.save('ci', 'secret-token');
  await db.tokens.save('again', 'secret-token');
  assert.equal(await db.tokens.verify('secret-token'), 'ci');
  assert.equal(await db.tokens.verify('secret-token2'), null);
  const { rows } = await sql.query(
    `select count(*)::int as n, bool_or(t::text like '%secret-token%') as plain from tokens t`,
  );
  assert.deepEqual(rows, [{ n: 1, plain: false }]);
  await db.tokens.save('ci', 'next-token');
  assert.equal(await db.tokens.verify('next-token'), 'ci');
  assert.equal(await db.tokens.verify('secret-token'), null, 'a replaced token opens nothing');
});

test('audit rows say who, what and when', async () => {
  await db.audit.record({
    actor: 'token:ci',
    action: 'reveal',
    object: 'postgres/main database_password',
    detail: { times: 1 },
  });
  const { rows } = await sql.query(
    `select actor, action, object, detail, at <= now() as past from audit where action = 'reveal'`,
  );
  assert.deepEqual(rows, [
    {
      actor: 'token:ci',
      action: 'reveal',
      object: 'postgres/main database_password',
      detail: { times: 1 },
      past: true,
    },
  ]);
});

test('an address opens the same database as a connection, also one with a socket', async () => {
  assert.match(server.url, /^postgres:\/\/capstan:[^@]+@\/test_1\?host=%2F/);
  const other = await openDatabase({ url: server.url, dataDir: server.dataDir, owner: 'another' });
  await other.tokens.save('by url', 'url-token');
  assert.equal(await db.tokens.verify('url-token'), 'by url');
  assert.equal(await other.readModel.ready(), true);
  const { rows } = await sql.query(
    `select distinct application_name as name from pg_stat_activity where application_name like 'capstan %'`,
  );
  assert.deepEqual(rows, [{ name: 'capstan another' }]);
  await other.close();
  await assert.rejects(openDatabase({ dataDir: server.dataDir }), { code: 'no_database' });
});
