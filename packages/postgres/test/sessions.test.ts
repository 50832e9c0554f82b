import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileDatabase } from './file-database.js';

const LASTS = { idleMs: 60_000, totalMs: 3_600_000 };

const { db, sql } = await fileDatabase();

test('a code opens one session, however many try at once', async () => {
  const { sessions } = db;
  await sessions.addCode('code-1', 'operator', 60_000);
  const tries = await Promise.all(
    ['a', 'b', 'c', 'd'].map((session) => sessions.tradeCode('code-1', session, LASTS)),
  );
  assert.equal(tries.filter((one) => one !== null).length, 1);
  const winner = ['a', 'b', 'c', 'd'][tries.findIndex((one) => one !== null)] ?? '';
  assert.deepEqual(await sessions.find(winner), { subject: 'operator' });
  assert.equal(await sessions.tradeCode('code-1', 'later', LASTS), null);
  assert.equal(await sessions.find('later'), null);
});

test('a trade whose answer was lost may be asked again', async () => {
  const { sessions } = db;
  await sessions.addCode('code-2', 'operator', 60_000);
  assert.deepEqual(await sessions.tradeCode('code-2', 'mine', LASTS), { subject: 'operator' });
  assert.deepEqual(await sessions.tradeCode('code-2', 'mine', LASTS), { subject: 'operator' });
});

test("a code ends with its time, a session without use, with its total time, and by sign-out; all by the database's clock", async () => {
  const { sessions } = db;
  await sessions.addCode('old', 'operator', 60_000);
  await sql.query(`update sign_in_codes set expires_at = now() - interval '1 ms'`);
  assert.equal(await sessions.tradeCode('old', 's', LASTS), null);

  for (const session of ['unused', 'too-long', 'signed-out', 'fresh']) {
    await sessions.addCode(`for ${session}`, 'operator', 60_000);
    await sessions.tradeCode(`for ${session}`, session, LASTS);
  }
  const hash = (text: string) => `encode(sha256('${text}'), 'hex')`;
  await sql.query(`update sessions set seen_at = now() - interval '61 s' where hash = ${hash('unused')}`);
  await sql.query(`update sessions set ends_at = now() where hash = ${hash('too-long')}`);
  await sessions.end('signed-out');
  for (const session of ['unused', 'too-long', 'signed-out'])
    assert.equal(await sessions.find(session), null);
  assert.deepEqual(await sessions.find('fresh'), { subject: 'operator' });

  await sessions.addCode('next', 'operator', 60_000);
  const { rows } = await sql.query<{ hash: string }>(
    `select hash from sessions where hash in (${hash('unused')}, ${hash('too-long')})`,
  );
  assert.deepEqual(rows, [], 'what is over is removed');
});

test('use prolongs a session', async () => {
  const { sessions } = db;
  await sessions.addCode('code-3', 'operator', 60_000);
  await sessions.tradeCode('code-3', 'used', { idleMs: 600_000, totalMs: 3_600_000 });
  const seen = `select now() - seen_at < interval '5 s' as fresh from sessions where hash = encode(sha256('used'), 'hex')`;
  await sql.query(
    `update sessions set seen_at = now() - interval '9 minutes' where hash = encode(sha256('used'), 'hex')`,
  );
  assert.ok(await sessions.find('used'));
  assert.deepEqual((await sql.query(seen)).rows, [{ fresh: true }]);
});

test('nothing that opens a page is stored', async () => {
  await db.sessions.addCode('plain-code', 'operator', 60_000);
  await db.sessions.addCode('another', 'operator', 60_000);
  await db.sessions.tradeCode('another', 'plain-session', LASTS);
  const { rows } = await sql.query<{ all: string }>(
    `select (select json_agg(c) from sign_in_codes c)::text || (select json_agg(s) from sessions s)::text as all`,
  );
  assert.match(rows[0]?.all ?? '', /operator.*operator/s);
  assert.doesNotMatch(rows[0]?.all ?? '', /plain-/);
});
