import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { cli, fakeServer, folder } from './cli.test-support.js';
import { migrate } from './commands/migrate.js';
import { Console } from './console.js';

const items = [
  { kind: 'logs', objects: 12, bytes: 5_000_000_000 },
  { kind: 'run_folders', objects: 3, bytes: null },
];
const left = [
  { host: 'node/h1', folders: 2, reason: { text: 'the host cannot be reached' } },
  { host: 'node/gone', folders: 1, reason: null },
];

test('prune says in counts and bytes what went, and what stays and why; --dry-run asks only', async (t) => {
  const server = await fakeServer(t, {
    prune: (variables: { input: { dryRun: boolean } }) => ({
      __typename: 'PruneReport',
      dryRun: variables.input.dryRun,
      items,
      left: variables.input.dryRun ? [] : left,
    }),
  });
  const dry = await cli(server.settings, 'prune', '--dry-run');
  assert.equal(dry.code, 0);
  assert.equal(dry.stdout, 'would go:\nlogs         12  5000000000 bytes\nrun_folders  3   on hosts\n');
  const real = await cli(server.settings, 'prune', '--json');
  assert.deepEqual(real.json(), {
    dryRun: false,
    items,
    left: [
      { host: 'node/h1', folders: 2, reason: 'the host cannot be reached' },
      { host: 'node/gone', folders: 1, reason: null },
    ],
  });
  assert.match(real.stderr, /node\/h1: 2 run folders stay: the host cannot be reached/);
  assert.deepEqual(
    server.requests.map(({ variables }) => (variables as { input: { dryRun: boolean } }).input.dryRun),
    [true, false],
  );
});

test('prune goes on until the server says that nothing is left, and adds up', async (t) => {
  let calls = 0;
  const server = await fakeServer(t, {
    prune: () => ({ __typename: 'PruneReport', dryRun: false, complete: ++calls === 3, items, left: [] }),
  });
  const answer = await cli(server.settings, 'prune', '--json');
  assert.deepEqual(answer.json(), {
    dryRun: false,
    items: [
      { kind: 'logs', objects: 36, bytes: 15_000_000_000 },
      { kind: 'run_folders', objects: 9, bytes: null },
    ],
    left: [],
  });
  const keys = server.requests.map(
    ({ variables }) => (variables as { input: { idempotencyKey: string } }).input,
  );
  assert.equal(new Set(keys.map((input) => input.idempotencyKey)).size, 3);
});

test('[L10] secrets rotate-kek shows ids of keys, never a key, and a rotation that runs is a refusal', async (t) => {
  const rotated = { former: 'k1', current: 'k2', rewrapped: 40, resumed: true };
  const server = await fakeServer(t, { rotateKey: { __typename: 'RotatedKey', ...rotated } });
  const answer = await cli(server.settings, 'secrets', 'rotate-kek', '--json');
  assert.deepEqual([answer.code, answer.json()], [0, rotated]);
  const words = { text: 'another rotation of the key is at work' };
  const busy = await fakeServer(t, {
    rotateKey: {
      __typename: 'IllegalState',
      code: 'conflict',
      text: words,
      problems: [{ code: 'conflict', text: words, file: null, line: null, column: null, expected: null }],
    },
  });
  const refused = await cli(busy.settings, 'secrets', 'rotate-kek');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /another rotation/);
});

test('migrate is the work of a server process: its words and its code come through', async (t) => {
  const said = async (program: string, json: boolean) => {
    const file = join(folder(t), 'main.mjs');
    writeFileSync(file, program);
    const out: string[] = [];
    const into = new Writable({
      write(chunk: Buffer, _encoding, done) {
        out.push(chunk.toString());
        done();
      },
    });
    const console = new Console(json, { stdin: Readable.from([]), stdout: into, stderr: into }, false);
    return { code: await migrate(console, file), text: out.join('') };
  };
  const good = `if (process.argv.slice(2).join(' ') !== 'migrate --json') process.exit(9);
    console.log(JSON.stringify({ from: 1, to: 2 }))`;
  assert.deepEqual(await said(good, false), { code: 0, text: 'the schema was 1 and is 2\n' });
  assert.deepEqual(JSON.parse((await said(good, true)).text), { from: 1, to: 2 });
  const refused = await said(`console.error('migrate needs DATABASE_URL'); process.exit(2)`, false);
  assert.equal(refused.code, 2);
  assert.match(refused.text, /migrate needs DATABASE_URL/);
  assert.equal((await said('process.exit(1)', false)).code, 1);
  const absent = new Console(
    false,
    { stdin: Readable.from([]), stdout: new Writable(), stderr: nowhere() },
    false,
  );
  assert.equal(await migrate(absent, join(folder(t), 'absent.js')), 1);
});

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
