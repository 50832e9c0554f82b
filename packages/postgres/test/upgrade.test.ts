import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { rebuild } from '@capstan/engine';
import type { OperationEvent } from '@capstan/model';
import { ENGINE, EVENT_VERSION, evolve } from '@capstan/model';
import type { Database } from '@capstan/postgres';
import { openDatabase } from '@capstan/postgres';
import type { TestDatabase } from '@capstan/postgres/testing';
import { startTestDatabase } from '@capstan/postgres/testing';
import pg from 'pg';
import { initial } from '../src/migration/0001-initial.js';
import { SCHEMA_VERSION } from '../src/migration/all.js';

/** Rows as a build of schema 1 wrote them: an operation whose first node runs, facts, artifacts, a secret, a log. */
const FIXTURE = JSON.parse(readFileSync(new URL('./upgrade/schema-1.json', import.meta.url), 'utf8')) as {
  readonly keyEncryptionKey: string;
  readonly tables: Readonly<Record<string, readonly Record<string, unknown>[]>>;
};

let server: TestDatabase;
let dataDir: string;

before(async () => {
  server = await startTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'capstan-upgrade-'));
  mkdirSync(join(dataDir, 'secret'));
  writeFileSync(join(dataDir, 'secret', 'key-encryption-key'), `${FIXTURE.keyEncryptionKey}\n`);
});
after(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

async function databaseOfSchema1(name: string): Promise<pg.ClientConfig & typeof server.connection> {
  const admin = new pg.Client({ ...server.connection, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const connection = { ...server.connection, database: name };
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`create table schema_migrations (
    version integer primary key, name text not null, applied_at timestamptz(3) not null default now())`);
  await client.query(initial.sql);
  await client.query(
    `insert into schema_migrations (version, name) values (1, 'initial'); delete from environments`,
  );
  for (const [table, rows] of Object.entries(FIXTURE.tables))
    await client.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  await client.end();
  return connection;
}

async function opened(connection: typeof server.connection, work: (database: Database) => Promise<void>) {
  const database = await openDatabase({ connection, dataDir });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

test('[L9] a database of the first schema is brought to the newest: the same rows are readable and its operation goes on', async () => {
  const connection = await databaseOfSchema1('first');
  await opened(connection, async (db) => {
    assert.deepEqual(await db.schema(), { present: 1, needed: SCHEMA_VERSION });
    assert.equal(await db.readModel.ready(), false);
    await db.migrate();
    assert.deepEqual(await db.schema(), { present: SCHEMA_VERSION, needed: SCHEMA_VERSION });
    assert.equal(await db.readModel.ready(), true);

    const stored = await db.store.load('op-1');
    assert.ok(stored);
    assert.equal(stored.status, 'running');
    assert.deepEqual(
      (await db.readModel.events(stored.id, 0, 100)).map(({ event }) => [event.sequence, event.type]),
      [
        [1, 'operation_planned'],
        [2, 'operation_started'],
        [3, 'attempt_starting'],
        [4, 'attempt_started'],
      ],
    );
    const [attempt] = await db.readModel.attempts(stored.id);
    assert.ok(attempt);
    assert.equal(Buffer.from(await db.logs.read(attempt.id, 0, 100)).toString(), 'line one\nline two\n');
    const facts = await db.inventory.facts(['postgres/main']);
    assert.deepEqual(
      facts.map((fact) => [fact.capability, fact.state, fact.attributes]),
      [['postgres.running', 'holds', { port: 5432 }]],
    );
    const evidence = await db.readModel.evidence(stored.id);
    assert.deepEqual(facts[0]?.evidence, [evidence[0]?.id]);
    const artifacts = await db.inventory.artifacts({ owner: 'postgres/main' });
    const password = artifacts.find((one) => one.name === 'password');
    const config = artifacts.find((one) => one.name === 'config');
    assert.ok(password?.storage.kind === 'secret' && config?.storage.kind === 'blob');
    const secret = Buffer.from((await db.secrets.get(password.storage.ref)) ?? []);
    assert.equal(secret.toString(), 'from-schema-1');
    assert.equal(db.secrets.fingerprint(secret), password.contentHash, 'fingerprints go on meaning the same');
    assert.equal(
      Buffer.from((await db.blobs.get(config.storage.hash)) ?? []).toString(),
      'listen_addresses = *\n',
    );
    assert.equal(await db.tokens.verify('a-token'), 'start');

    // Another worker takes it over and goes on where the rows stand.
    assert.deepEqual(await db.store.due(10), [stored.id]);
    const lease = await db.store.lease(stored.id, 'w2', 20_000);
    assert.ok(lease && lease.counter > 1);
    const state = rebuild(stored);
    const event = {
      type: 'attempt_ended',
      nodeKey: 'a',
      attemptId: attempt.id,
      end: { kind: 'exited', code: 0 },
      sequence: 5,
      v: EVENT_VERSION,
      actor: ENGINE,
    } as OperationEvent;
    evolve(state, event);
    const committed = await db.store.commit(lease, {
      operationId: stored.id,
      expectedSequence: 4,
      sequence: 5,
      status: state.status,
      reason: null,
      wakeInMs: null,
      events: [event],
      nodes: [...state.nodes.values()].filter((node) => node.sequence === 5),
      attempts: [...state.attempts.values()],
      stages: [],
      evidence: [],
      facts: [],
      staleFacts: [],
      artifacts: [],
      proofs: [],
    });
    assert.equal(committed, 'committed');
    assert.equal((await db.store.load(stored.id))?.sequence, 5);
    const rotated = await db.keys.rotate();
    assert.ok(rotated.kind === 'rotated' && rotated.rewrapped === 1);
    assert.equal(Buffer.from((await db.secrets.get(password.storage.ref)) ?? []).toString(), 'from-schema-1');
  });
});
