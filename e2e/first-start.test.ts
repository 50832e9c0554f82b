import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder, runCli, startAndWait, startProduct, type Test } from './product.js';

async function occupied(t: Test): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a second start says where the first one runs and ends with 0', async (t) => {
  const data = dataFolder(t);
  const token = 'a-token-that-a-person-chose';
  const product = await startProduct(t, data, { CAPSTAN_LAB: 'none', CAPSTAN_TOKEN: token });

  const second = await startAndWait(data, { CAPSTAN_LAB: 'none' });
  assert.deepEqual(second, { code: 0, output: `Capstan is already running: ${product.url}\n` });

  await t.test(
    'the CLI finds it by its data folder, by address and token, and not with a wrong token',
    async () => {
      assert.equal((await product.cli('get', 'hosts')).code, 0);
      const elsewhere = { CAPSTAN_DATA: join(data, 'nothing'), CAPSTAN_URL: product.url };
      assert.equal((await runCli(['get', 'hosts'], { ...elsewhere, CAPSTAN_TOKEN: token })).code, 0);
      const wrong = await runCli(['get', 'hosts'], { ...elsewhere, CAPSTAN_TOKEN: 'wrong' });
      assert.equal(wrong.code, 1);
      assert.match(wrong.stderr, /does not know this token/);
    },
  );

  await t.test('address, token and logs are for their owner only, and no log holds the token', () => {
    const server = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')) as {
      url: string;
      pid: number;
      tokenFile: string;
    };
    assert.deepEqual([server.url, server.pid], [product.url, product.pid]);
    for (const file of [join(data, 'server.json'), server.tokenFile])
      assert.equal(statSync(file).mode & 0o777, 0o600, file);
    assert.equal(readFileSync(server.tokenFile, 'utf8').trim(), token);
    for (const name of ['supervisor', 'api', 'worker']) {
      const file = join(data, 'logs', `${name}.log`);
      assert.equal(statSync(file).mode & 0o777, 0o600, file);
      assert.ok(!readFileSync(file, 'utf8').includes(token), file);
    }
    assert.ok(!product.output().includes(token));
  });

  await t.test('it answers that it is alive and ready', async () => {
    for (const path of ['healthz', 'readyz', 'metrics', '']) {
      // As a browser asks: whoever has no session is led to the sign-in.
      const { status } = await fetch(new URL(path, product.url), { headers: { accept: 'text/html, */*' } });
      assert.equal(status, 200, path);
    }
  });

  const { code, ms } = await product.stop();
  assert.equal(code, 0);
  assert.ok(ms < 10_000);
  const gone = await product.cli('get', 'hosts');
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /start it with npm start/);
});

test('a port that a person asked for and that is taken is refused in one line with the process', async (t) => {
  const port = await occupied(t);
  const got = await startAndWait(dataFolder(t), { CAPSTAN_PORT: String(port), CAPSTAN_LAB: 'none' });
  assert.equal(got.code, 1);
  assert.match(
    got.output,
    new RegExp(`^CAPSTAN_PORT=${port} is taken by .+: stop it, or choose another port$`, 'm'),
  );
});

test('bad values are one line each and nothing is started', async (t) => {
  const data = dataFolder(t);
  const got = await startAndWait(data, { CAPSTAN_PORT: 'http', CAPSTAN_LAB: 'debian', CAPSTAN_LEASE: '20' });
  assert.equal(got.code, 1);
  assert.equal(got.output.trimEnd().split('\n').length, 3);
  assert.throws(() => statSync(data), { code: 'ENOENT' });
});

test('a data folder that is none is one line', async (t) => {
  const data = dataFolder(t);
  mkdirSync(join(data, '..'), { recursive: true });
  writeFileSync(data, '');
  const got = await startAndWait(data, { CAPSTAN_LAB: 'none' });
  assert.equal(got.code, 1);
  assert.match(got.output, /^.* is not a folder: name another one in CAPSTAN_DATA\n$/);
});
