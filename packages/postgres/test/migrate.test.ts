import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDatabase } from '@capstan/postgres';
import type { TestDatabase } from '@capstan/postgres/testing';
import { startTestDatabase } from '@capstan/postgres/testing';
import pg from 'pg';
import { MIGRATIONS } from '../src/migration/all.js';
import { SampleOperation, samplePlan } from './sample-operation.js';

let server: TestDatabase;

before(async () => {
  server = await startTestDatabase();
});
after(() => server.stop());

async function empty(name: string) {
  const admin = new pg.Client({ ...server.connection, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return { ...server.connection, database: name };
}

async function asked(connection: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

test('four processes migrate an empty database at once; each step runs once', async () => {
  const connection = await empty('four');
  const opened = await Promise.all(
    [1, 2, 3, 4].map(() => openDatabase({ connection, dataDir: server.dataDir })),
  );
  assert.equal(await opened[0]?.readModel.ready(), false);
  await Promise.all(opened.map((database) => database.migrate()));
  assert.equal(await opened[0]?.readModel.ready(), true);
  const rows = await asked(connection, 'select version, name from schema_migrations order by version');
  assert.deepEqual(
    rows.map(({ name }) => name),
    MIGRATIONS.map(({ name }) => name),
  );
  assert.deepEqual(
    rows.map(({ version }) => version),
    MIGRATIONS.map((_step, index) => index + 1),
  );
  await Promise.all(opened.map((database) => database.close()));
});

test('a build that is older than the schema refuses to start, in one sentence', async () => {
  const { connection, database } = await server.create();
  await asked(connection, `insert into schema_migrations (version, name) values (99, 'from the future')`);
  const refusal = {
    code: 'schema_newer',
    message: new RegExp(`^The database has schema 99, this build knows ${MIGRATIONS.length}: [^\\n]+\\.$`),
  };
  await assert.rejects(database.migrate(), refusal);
  await assert.rejects(openDatabase({ connection, dataDir: server.dataDir }), refusal);
  assert.equal(await database.readModel.ready(), false);
});

test('a database restored into another cluster begins a new epoch, and its old events come first', async () => {
  const { connection, database } = await server.create();
  const operation = new SampleOperation(database, samplePlan('postgres/old', ['a']));
  await database.store.create(operation.asNew());
  const { epoch } = await database.readModel.eventsAcross(null, 10);
  await database.migrate();
  assert.equal(
    (await database.readModel.eventsAcross(null, 10)).epoch,
    epoch,
    'the same cluster is the same epoch',
  );
  await asked(
    connection,
    `update installation set system_identifier = '1'; update events set tx = '999999999999'`,
  );
  assert.deepEqual(
    (await database.readModel.eventsAcross(null, 10)).events,
    [],
    'numbers of another cluster hide them',
  );
  await database.migrate();
  const restored = await database.readModel.eventsAcross(null, 10);
  assert.notEqual(restored.epoch, epoch);
  assert.deepEqual(
    restored.events.map((e) => [e.operationId, e.event.sequence]),
    [[operation.id, 1]],
  );
});

test('keys are compared byte by byte whatever the locale of the server', async () => {
  const rows = await asked(
    server.connection,
    `select table_name || '.' || column_name as column from information_schema.columns
     where table_schema = 'public' and collation_name is distinct from 'C' and data_type = 'text'
       and (column_name = 'id' or column_name = 'key' or column_name like '%\\_id' or column_name like '%\\_key') order by 1`,
  );
  assert.deepEqual(rows, []);
});

test("on a server of one's own, an ordinary role that owns its database is enough", async () => {
  const admin = { ...server.connection, database: 'postgres' };
  await asked(admin, `create role plain login password 'plain'`);
  await asked(admin, 'create database owned owner plain');
  const connection = { ...server.connection, user: 'plain', password: 'plain', database: 'owned' };
  const database = await openDatabase({ connection, dataDir: server.dataDir });
  await database.migrate();
  const operation = new SampleOperation(database, samplePlan('postgres/plain', ['a']));
  assert.equal((await database.store.create(operation.asNew())).kind, 'created');
  const lease = await database.store.lease(operation.id, 'w1', 1000);
  assert.match(lease?.fence ?? '', /^\d+\.1\.1$/);
  assert.equal((await database.readModel.eventsAcross(null, 10)).events.length, 1);
  await database.close();
});
