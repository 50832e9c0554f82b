import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { connectionUrl } from '@capstan/postgres';
import type { TestDatabase } from '@capstan/postgres/testing';
import { startTestDatabase } from '@capstan/postgres/testing';
import pg from 'pg';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const HOOK = fileURLToPath(new URL('../../../../scripts/swc-hook.mjs', import.meta.url));

let server: TestDatabase;
let data: string;

before(async () => {
  server = await startTestDatabase();
  data = mkdtempSync(join(tmpdir(), 'capstan-migrate-'));
});
after(async () => {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});

/** The server as a process, with what it said and the code it ended with. */
function role(url: string | null, ...args: string[]) {
  const env = { ...process.env, CAPSTAN_DATA: data, CAPSTAN_PORT: '0', DATABASE_URL: url ?? '' };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=capstan-source', '--import', HOOK, MAIN, ...args],
      { env, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows as Record<string, unknown>[];
}

test('an older schema is refused by every role in one line that names the way, and migrate goes it', async () => {
  const { url, database } = await server.create();
  const { needed } = await database.schema();
  // A database whose newest step has not run: what that step made is taken back.
  await ask(
    url,
    `delete from schema_migrations where version = ${needed}; drop table sign_in_codes, sessions`,
  );
  for (const args of [['api'], ['worker'], []]) {
    const refused = await role(url, ...args);
    assert.equal(refused.code, 1, args.join());
    assert.match(refused.stderr, /run capstan migrate with this DATABASE_URL\n$/, args.join());
    assert.equal(refused.stderr.trim().split('\n').length, 1, refused.stderr);
  }
  const [row] = await ask(url, 'select max(version) as version from schema_migrations');
  assert.equal(row?.version, needed - 1, 'nobody migrated on the way');
  const migrated = await role(url, 'migrate', '--json');
  assert.deepEqual(
    [migrated.code, JSON.parse(migrated.stdout)],
    [0, { from: needed - 1, to: needed }],
    migrated.stderr,
  );
  assert.equal((await role(url, 'migrate')).stdout, `the schema is ${needed} already\n`);
});

test('migrate creates the schema of an empty database, refuses a newer one, and needs an address', async () => {
  const { url } = await server.create();
  await ask(url, 'create database empty');
  const empty = connectionUrl({ ...server.connection, database: 'empty' });
  assert.match((await role(empty, 'migrate')).stdout, /^the schema was 0 and is \d+\n$/);
  await ask(empty, `insert into schema_migrations (version, name) values (99, 'from the future')`);
  const newer = await role(empty, 'migrate');
  assert.equal(newer.code, 1);
  assert.match(newer.stderr, /^The database has schema 99, this build knows \d+: [^\n]+\n$/);
  const without = await role(null, 'migrate');
  assert.equal(without.code, 2);
  assert.match(without.stderr, /^migrate needs DATABASE_URL[^\n]+\n$/);
});
