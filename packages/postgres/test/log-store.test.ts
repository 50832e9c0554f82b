import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Database } from '@capstan/postgres';
import { fileDatabase } from './file-database.js';
import { SampleOperation, samplePlan } from './sample-operation.js';

const { server, db, sql } = await fileDatabase();

async function whole(attemptId: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let at = 0; ; ) {
    const part = await db.logs.read(attemptId, at, 100_000);
    if (part.length === 0) return Buffer.concat(parts);
    parts.push(part);
    at += part.length;
  }
}

test('[C01] bytes are kept only at the end of what is stored', async () => {
  assert.equal(await db.logs.size('l1'), 0);
  assert.equal(await db.logs.append('l1', 5, Buffer.from('too early')), 0);
  assert.equal(await db.logs.append('l1', 0, Buffer.from([0, 255, 10])), 3);
  assert.equal(await db.logs.append('l1', 0, Buffer.from('again')), 3);
  assert.equal(await db.logs.append('l1', 3, Buffer.from('more')), 7);
  assert.equal(await db.logs.append('l1', 7, new Uint8Array()), 7);
  assert.equal(await db.logs.size('l1'), 7);
  assert.deepEqual(
    Buffer.from(await db.logs.read('l1', 0, 100)),
    Buffer.from([0, 255, 10, ...Buffer.from('more')]),
  );
  assert.deepEqual(Buffer.from(await db.logs.read('l1', 2, 3)), Buffer.from('\nmo'));
  assert.equal((await db.logs.read('l1', 7, 10)).length, 0);
  assert.equal((await db.logs.read('l0', 0, 10)).length, 0);
});

test('[C01] two followers that write the same bytes in pieces of their own leave them once', async () => {
  const bytes = randomBytes(700_000);
  const follow = async (step: number) => {
    for (let at = 0; at < bytes.length; ) at = await db.logs.append('l2', at, bytes.subarray(at, at + step));
  };
  await Promise.all([follow(17_001), follow(300_000), follow(40_003)]);
  assert.ok((await whole('l2')).equals(bytes));
  const slice = Buffer.from(await db.logs.read('l2', 255_000, 90_000));
  assert.ok(slice.equals(bytes.subarray(255_000, 345_000)));
});

test('[S10] masking replaces bytes also across the borders of chunks, keeps the length and changes the etag', async () => {
  const operation = new SampleOperation(db, samplePlan('postgres/mask', ['a']));
  await db.store.create(operation.asNew());
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const att = db.ids.next('att');
  await db.store.commit(
    lease,
    operation.change([{ type: 'operation_started' }, operation.startEvent('a', att)]),
  );
  let at = await db.logs.append(att, 0, Buffer.from('token=abc'));
  at = await db.logs.append(att, at, Buffer.from('def; '));
  await db.logs.append(att, at, Buffer.from('clean'));
  const [before] = await db.readModel.attempts(operation.id);
  await db.logs.mask(att, (bytes) =>
    Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('abcdef', '******'), 'latin1'),
  );
  assert.equal((await whole(att)).toString(), 'token=******; clean');
  const [masked] = await db.readModel.attempts(operation.id);
  assert.notEqual(masked?.logEtag, before?.logEtag);
  assert.equal(masked?.logSize, 19);
  await db.logs.mask(att, (bytes) => bytes);
  await db.logs.complete(att);
  const [complete] = await db.readModel.attempts(operation.id);
  assert.equal(complete?.logEtag, masked?.logEtag, 'nothing was replaced');
  assert.deepEqual([before?.logComplete, complete?.logComplete], [false, true]);
  await assert.rejects(
    db.logs.mask(att, () => new Uint8Array(3)),
    { code: 'mask_length' },
  );
});

test('[S10] a secret on the border of two windows of a large log is masked, and so is the tail of a match cut there', async () => {
  const window = 16 * 1024 * 1024;
  const secret = Buffer.from('key=hunter2-hunter2;');
  const bytes = Buffer.alloc(window + 3 * 1024 * 1024, '.');
  const places = [10, window - 7, window + 2 * 1024 * 1024];
  for (const place of places) secret.copy(bytes, place);
  for (let at = 0; at < bytes.length; )
    at = await db.logs.append('big', at, bytes.subarray(at, at + 1024 * 1024));
  await db.logs.mask('big', (part) =>
    Buffer.from(
      Buffer.from(part)
        .toString('latin1')
        .replace(/key=[^;.]+/g, (match) => '*'.repeat(match.length)),
      'latin1',
    ),
  );
  const expected = Buffer.from(bytes);
  for (const place of places) expected.fill('*', place, place + secret.length - 1);
  const stored: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const part = Buffer.from(await db.logs.read('big', at, window));
    stored.push(part);
    at += part.length;
  }
  assert.ok(Buffer.concat(stored).equals(expected));
});

const SMALL = { head: 2_000, kept: 10_000, step: 1_000, border: 300 };

/** The stored bytes as [start, end) pieces. */
async function pieces(database: Database, attemptId: string, size: number) {
  const found: { start: number; bytes: Buffer }[] = [];
  for (let at = 0; at < size; ) {
    const bytes = Buffer.from(await database.logs.read(attemptId, at, size));
    if (bytes.length > 0) found.push({ start: at, bytes });
    at += Math.max(1, bytes.length);
  }
  return found;
}

test('[C17] of a long log the head and the tail are kept, the cut is said, and no other byte moves', async () => {
  const small = await server.open({ logLimits: SMALL });
  const operation = new SampleOperation(db, samplePlan('postgres/long', ['a']));
  await db.store.create(operation.asNew());
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const att = db.ids.next('att');
  await db.store.commit(
    lease,
    operation.change([{ type: 'operation_started' }, operation.startEvent('a', att)]),
  );
  const bytes = randomBytes(60_000);
  for (let at = 0; at < bytes.length; ) {
    at = await small.logs.append(att, at, bytes.subarray(at, at + 170));
    const [{ n } = { n: 0 }] = (
      await sql.query(
        'select coalesce(sum(length(bytes)), 0)::int as n from log_chunks where attempt_id = $1',
        [att],
      )
    ).rows;
    assert.ok(n <= SMALL.kept, `${n} bytes are kept after ${at}`);
  }
  await small.logs.complete(att);
  const [attempt] = await db.readModel.attempts(operation.id);
  assert.equal(attempt?.logSize, bytes.length);
  assert.ok(attempt.logCut);
  const { from, to } = attempt.logCut;
  assert.ok(from >= SMALL.head && from < SMALL.head + 170, `head ${from}`);
  assert.ok(bytes.length - to >= SMALL.kept - SMALL.head - 2 * SMALL.step, `tail ${bytes.length - to}`);
  const found = await pieces(small, att, bytes.length);
  assert.deepEqual(
    found.map(({ start, bytes: part }) => [start, start + part.length]),
    [
      [0, from],
      [to, bytes.length],
    ],
  );
  for (const { start, bytes: part } of found)
    assert.ok(part.equals(bytes.subarray(start, start + part.length)), `bytes from ${start}`);
});

test('[S10] half a secret at the border of a cut does not stay', async () => {
  const small = await server.open({ logLimits: SMALL });
  const secret = Buffer.from('hunter2-'.repeat(20));
  const bytes = Buffer.alloc(30_000, '.');
  // Everywhere, so that both borders of the cut fall into one.
  for (let at = 50; at + secret.length < bytes.length; at += secret.length + 3) secret.copy(bytes, at);
  for (let at = 0; at < bytes.length; ) at = await small.logs.append('cut', at, bytes.subarray(at, at + 97));
  await small.logs.mask('cut', (part) =>
    Buffer.from(
      Buffer.from(part).toString('latin1').replaceAll(secret.toString(), '*'.repeat(secret.length)),
      'latin1',
    ),
  );
  const stored = await pieces(small, 'cut', bytes.length);
  assert.equal(stored.length, 2);
  for (const { bytes: part } of stored) {
    assert.ok(part.length > 1_000);
    assert.doesNotMatch(part.toString('latin1'), /hunter2/);
  }
});
