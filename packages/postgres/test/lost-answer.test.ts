import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import type { Database } from '@capstan/postgres';
import { openDatabase } from '@capstan/postgres';
import type { TestDatabase } from '@capstan/postgres/testing';
import { startTestDatabase } from '@capstan/postgres/testing';
import { createSample, SampleOperation, samplePlan } from './sample-operation.js';

/** A link to the server that breaks once, at the first request that fits, with or without delivering it. */
let cut: { readonly at: RegExp; readonly deliver: boolean } | null = null;
let server: TestDatabase;
let proxy: Server;
let db: Database;

const COMMIT = /Q[\s\S]{4}commit\0/;

before(async () => {
  server = await startTestDatabase();
  const { host, port } = server.connection;
  proxy = createServer((client) => link(client, connect(`${host}/.s.PGSQL.${port}`)));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address() as AddressInfo;
  const connection = { ...server.connection, host: '127.0.0.1', port: address.port };
  db = await openDatabase({ connection, dataDir: server.dataDir });
});
after(async () => {
  await db.close();
  proxy.close();
  await server.stop();
});

function link(client: Socket, upstream: Socket): void {
  let mute = false;
  for (const socket of [client, upstream]) socket.on('error', () => undefined);
  client.on('data', (data) => {
    if (!mute && cut?.at.test(data.toString('latin1'))) {
      const { deliver } = cut;
      mute = true;
      cut = null;
      if (deliver) upstream.write(data);
      // Long enough for the server to have done it.
      setTimeout(() => client.destroy(), 150);
      setTimeout(() => upstream.destroy(), 200);
    } else if (!mute) upstream.write(data);
  });
  upstream.on('data', (data) => void (mute || client.write(data)));
  client.on('close', () => void (mute || upstream.destroy()));
  upstream.on('close', () => client.destroy());
}

const created = (subject: string) => createSample(db, samplePlan(subject, ['a']));

const types = async (operation: SampleOperation) =>
  (await db.readModel.events(operation.id, 1, 10)).map(({ event }) => event.type);

test('[C05] the answer to a commit is lost: it is found to stand, and is not made twice', async () => {
  const operation = await created('postgres/la1');
  const lease = await db.store.lease(operation.id, 'w1', 60_000);
  assert.ok(lease);
  cut = { at: /commit_/, deliver: true };
  assert.equal(await db.store.commit(lease, operation.change([{ type: 'operation_started' }])), 'committed');
  assert.equal(cut, null, 'the link was cut');
  assert.deepEqual(await types(operation), ['operation_started']);
  cut = { at: /commit_/, deliver: false };
  assert.equal(
    await db.store.commit(lease, operation.change([{ type: 'operation_cancelling' }])),
    'committed',
  );
  assert.equal(cut, null);
  assert.deepEqual(await types(operation), ['operation_started', 'operation_cancelling']);
});

test('[C05] the answer to a creation is lost: the operation is there once', async () => {
  for (const [deliver, key] of [
    [true, 'k1'],
    [false, 'k2'],
    [true, null],
  ] as const) {
    const operation = new SampleOperation(db, samplePlan(`postgres/la2-${deliver}-${key}`, ['a']));
    cut = { at: COMMIT, deliver };
    const result = await db.store.create(
      operation.asNew(key && { subject: 'ada', mutation: 'startOperation', key, inputHash: 'h' }),
    );
    assert.equal(cut, null);
    assert.ok('id' in result && result.id === operation.id, JSON.stringify(result));
    assert.notEqual(result.kind, 'running');
    assert.equal(
      (await db.readModel.operations({ first: 5, subject: operation.plan.subject.key })).length,
      1,
    );
  }
});

test('[C05] the answer to a command is lost: decided once, and the truth is answered', async () => {
  const operation = await created('postgres/la3');
  const change = operation.change([{ type: 'operation_cancelling' }]);
  let decided = 0;
  const decide = () => {
    decided += 1;
    return { kind: 'change' as const, change };
  };
  cut = { at: COMMIT, deliver: false };
  await assert.rejects(db.store.command(operation.id, null, decide));
  assert.equal(cut, null);
  assert.equal(decided, 1);
  assert.deepEqual(await types(operation), []);
  cut = { at: COMMIT, deliver: true };
  assert.deepEqual(await db.store.command(operation.id, null, decide), {
    kind: 'done',
    sequence: 2,
    repeated: false,
  });
  assert.equal(cut, null);
  assert.equal(decided, 2);
  assert.deepEqual(await types(operation), ['operation_cancelling']);
});
