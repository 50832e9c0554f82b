import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '@capstan/postgres';
import { fileDatabase } from './file-database.js';

const { server, db, sql } = await fileDatabase();

test('a secret is sealed, comes back byte for byte, and each put is a new version', async () => {
  const value = Buffer.from('hunter2-canary\u0000\u00ff');
  const [one, two] = await Promise.all([
    db.secrets.put('default', 'postgres/main/password', value),
    db.secrets.put('default', 'postgres/main/password', value),
  ]);
  assert.notEqual(one, two);
  assert.match(one, /^sec_/);
  assert.deepEqual(Buffer.from((await db.secrets.get(one)) ?? []), value);
  assert.deepEqual(Buffer.from((await db.secrets.get(two)) ?? []), value);
  assert.equal(await db.secrets.get('sec_unknown'), null);
  const { rows } = await sql.query(
    `select version, position('hunter2'::bytea in sealed) + position('hunter2'::bytea in wrapped_key) as plain from secrets order by version`,
  );
  assert.deepEqual(rows, [
    { version: 1, plain: 0 },
    { version: 2, plain: 0 },
  ]);
  await assert.rejects(db.secrets.put('mars', 'x', value), { code: 'unknown_environment' });
});

test('a changed, exchanged or moved secret does not open', async () => {
  const ref = await db.secrets.put('default', 'tamper', Buffer.from('one'));
  const other = await db.secrets.put('default', 'tamper', Buffer.from('two'));
  const attempts = [
    `update secrets set sealed = set_byte(sealed, 14, get_byte(sealed, 14) # 1) where id = $1`,
    `update secrets set wrapped_key = set_byte(wrapped_key, 0, get_byte(wrapped_key, 0) # 1) where id = $1`,
    `update secrets set name = 'tampered' where id = $1`,
    `update secrets set version = 99 where id = $1`,
    `update secrets s set sealed = o.sealed, wrapped_key = o.wrapped_key from secrets o where s.id = $1 and o.id = '${other}'`,
    `update secrets set sealed = substring(sealed from 1 for 20) where id = $1`,
  ];
  const { rows: original } = await sql.query('select * from secrets where id = $1', [ref]);
  for (const change of attempts) {
    assert.equal((await sql.query(change, [ref])).rowCount, 1);
    await assert.rejects(db.secrets.get(ref), { code: 'secret_damaged' }, change);
    const { sealed, wrapped_key, name, version } = original[0];
    await sql.query(
      'update secrets set sealed = $2, wrapped_key = $3, name = $4, version = $5 where id = $1',
      [ref, sealed, wrapped_key, name, version],
    );
    assert.equal(Buffer.from((await db.secrets.get(ref)) ?? []).toString(), 'one');
  }
});

test('the key lies in a closed file, is made once, and another key is refused at start in one sentence', async () => {
  const file = join(server.dataDir, 'secret', 'key-encryption-key');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(join(server.dataDir, 'secret')).mode & 0o777, 0o700);
  const key = readFileSync(file, 'utf8');
  await server.open();
  assert.equal(readFileSync(file, 'utf8'), key);
  const { rows } = await sql.query('select count(*)::int as n from secrets where key_id is not null');
  assert.ok(rows[0].n > 0);
  const elsewhere = mkdtempSync(join(tmpdir(), 'capstan-key-'));
  await assert.rejects(
    openDatabase({ connection: server.connection, dataDir: elsewhere }),
    (error: Error & { code?: string }) => {
      assert.equal(error.code, 'key_unknown');
      assert.match(error.message, /^[^\n]+restore the file of that key\.$/);
      return true;
    },
  );
  writeFileSync(join(elsewhere, 'secret', 'key-encryption-key'), 'c2hvcnQ=\n');
  await assert.rejects(openDatabase({ connection: server.connection, dataDir: elsewhere }), {
    code: 'key_damaged',
  });
  rmSync(elsewhere, { recursive: true });
});

test('processes that start at once agree on one key', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'capstan-key-'));
  const fresh = await server.create();
  const opened = await Promise.all(
    Array.from({ length: 6 }, () => openDatabase({ connection: fresh.connection, dataDir })),
  );
  assert.equal(new Set(opened.map((d) => d.secrets.fingerprint(Buffer.from('x')))).size, 1);
  await Promise.all(opened.map((d) => d.close()));
  rmSync(dataDir, { recursive: true });
});

test('a fingerprint is equal for equal bytes and needs the key', async () => {
  const print = db.secrets.fingerprint(Buffer.from('hunter2'));
  assert.match(print, /^[0-9a-f]{64}$/);
  assert.equal(db.secrets.fingerprint(Buffer.from('hunter2')), print);
  assert.notEqual(db.secrets.fingerprint(Buffer.from('hunter3')), print);
});

test('generated values are letters and digits, each as likely as every other', () => {
  const value = db.secrets.generate('password', 62_000);
  assert.match(value, /^[A-Za-z0-9]{62000}$/);
  const counts = new Map<string, number>();
  for (const sign of value) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  assert.equal(counts.size, 62);
  // 1,000 expected, standard deviation 31.4: ±200 is beyond six of them, folding 256 onto 62 would give 1,211.
  for (const [sign, n] of counts) assert.ok(Math.abs(n - 1000) < 200, `${sign} came ${n} times`);
});
