import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { requireSuite } from '../suites.mjs';
import { canCreate, childEnvironment, dataFolder } from './environment.mjs';
import { withPrepareLock } from './lock.mjs';
import { runtimeProblem } from './require-node.mjs';
import { runStep } from './run-step.mjs';
import { testFiles } from './run-tests.mjs';
import { hashInputs, readStamp, writeStamp } from './stamp.mjs';
import { webInputs } from './web-inputs.mjs';

const place = mkdtempSync(join(tmpdir(), 'capstan-launch-'));
after(() => rmSync(place, { recursive: true, force: true }));
const fresh = () => mkdtempSync(join(place, 'x-'));

test('an old Node is named in one line', () => {
  assert.equal(runtimeProblem('v18.20.8', 'linux'), 'Node ≥ 20.19 needed, this is v18.20.8.');
  assert.equal(runtimeProblem('20.18.3', 'linux'), 'Node ≥ 20.19 needed, this is v20.18.3.');
  for (const version of ['20.19.0', '22.0.0', '24.3.1']) assert.equal(runtimeProblem(version, 'linux'), '');
});

test('Windows is pointed to WSL, whatever its Node', () => {
  assert.match(runtimeProblem('24.0.0', 'win32'), /WSL 2/);
});

test('the entry files keep to the syntax that an old Node can parse', () => {
  const files = ['start', 'test', 'check', 'bench'].map((name) => `scripts/${name}.mjs`);
  for (const file of [...files, 'bin/capstan.mjs', 'scripts/launch/require-node.mjs']) {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').replace(/^\s*\/\/.*$/gm, '');
    assert.doesNotMatch(text, /\?\?|\?\.[a-z[(]|\|\|=|&&=|^await |#[a-z]+\s*[=(]/m, file);
    for (const [, name] of text.matchAll(/^import .* from '([^']+)'/gm)) {
      assert.match(name, /^node:fs$|require-node\.mjs$/, `${file} may load nothing newer before the check`);
    }
  }
});

test('loopback bypasses a proxy, beside what was already listed', () => {
  const env = childEnvironment(fresh(), { NO_PROXY: 'intranet, 127.0.0.1' }, fresh());
  assert.equal(env.NO_PROXY, 'intranet,127.0.0.1,localhost');
  assert.equal(env.no_proxy, env.NO_PROXY);
});

test('a writable home keeps its own caches', () => {
  const env = childEnvironment(fresh(), { npm_config_cache: '/somewhere' }, fresh());
  assert.equal(env.npm_config_cache, '/somewhere');
  assert.equal(env.npm_config_store_dir, undefined);
});

test('a home that cannot be written moves the caches of npm and pnpm into the data folder', () => {
  const root = fresh();
  const env = childEnvironment(root, { npm_config_cache: '/dev/null/.npm' }, '/dev/null/home');
  assert.equal(env.npm_config_cache, join(root, '.capstan/cache/npm'));
  assert.equal(env.npm_config_store_dir, join(root, '.capstan/cache/pnpm-store'));
  for (const name of ['XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'])
    assert.ok(env[name].startsWith(root));
});

test('CAPSTAN_DATA moves the state', () => {
  assert.equal(dataFolder('/repository', {}), '/repository/.capstan');
  assert.equal(dataFolder('/repository', { CAPSTAN_DATA: '/elsewhere' }), '/elsewhere');
});

test('a path below a file cannot be created, one below a folder can', () => {
  const folder = fresh();
  writeFileSync(join(folder, 'file'), '');
  assert.equal(canCreate(join(folder, 'file/below')), false);
  assert.equal(canCreate(join(folder, 'a/b/c')), true);
});

test('a stamp changes with content, names and words, and is gone with node_modules', () => {
  const root = fresh();
  writeFileSync(join(root, 'a'), 'one');
  const before = hashInputs(root, ['a'], '20');
  assert.equal(hashInputs(root, ['a'], '20'), before);
  assert.notEqual(hashInputs(root, ['a'], '24'), before);
  writeFileSync(join(root, 'a'), 'two');
  assert.notEqual(hashInputs(root, ['a'], '20'), before);
  writeStamp(root, 'build', before);
  assert.equal(readStamp(root, 'build'), before);
  rmSync(join(root, 'node_modules'), { recursive: true });
  assert.equal(readStamp(root, 'build'), '');
});

test('two starts prepare one after the other, and a dead holder does not block', async () => {
  const root = fresh();
  mkdirSync(join(root, '.capstan'));
  writeFileSync(join(root, '.capstan/prepare.lock'), '999999999');
  const order = [];
  await withPrepareLock(
    root,
    (line) => order.push(line),
    async () => order.push('work'),
  );
  assert.deepEqual(order, ['work']);
  assert.equal(existsSync(join(root, '.capstan/prepare.lock')), false);
});

test('a living holder is waited for and named', async () => {
  const root = fresh();
  const said = [];
  let release = () => undefined;
  const first = withPrepareLock(
    root,
    () => undefined,
    () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  );
  const second = withPrepareLock(
    root,
    (line) => {
      said.push(line);
      release();
    },
    async () => 'second',
  );
  await first;
  assert.equal(await second, 'second');
  assert.match(said[0], new RegExp(`process ${process.pid}`));
});

test('a step reports its result and keeps the end of its output', async () => {
  const step = {
    title: 'Step',
    command: process.execPath,
    cwd: place,
    env: process.env,
    say: () => undefined,
  };
  const bad = await runStep({
    ...step,
    args: ['-e', 'console.log("out"); console.error("why"); process.exit(3)'],
  });
  assert.equal(bad.ok, false);
  assert.match(bad.output, /out[\s\S]*why/);
  assert.equal((await runStep({ ...step, args: ['-e', ''] })).ok, true);
  const missing = await runStep({ ...step, command: 'no-such-command-of-capstan', args: [] });
  assert.equal(missing.ok, false);
  assert.match(missing.output, /ENOENT/);
});

test('an absent suite is announced once, and an error where it is required', (context) => {
  const lines = [];
  context.mock.method(console, 'log', (line) => lines.push(line));
  const absent = (env) => requireSuite('userns', false, 'no user namespaces', 'sysctl …', env);
  assert.equal(requireSuite('userns', true, '', '', { CAPSTAN_REQUIRE: 'userns' }), true);
  assert.equal(absent({}), false);
  assert.equal(absent({ CAPSTAN_REQUIRE: 'debian' }), false);
  assert.deepEqual(lines, ['NOT RUN userns: no user namespaces: sysctl …']);
  assert.throws(() => absent({ CAPSTAN_REQUIRE: 'debian, userns' }), /CAPSTAN_REQUIRE lists userns/);
});

test('test files are found by place, chosen by a part of their path, and never among canaries', () => {
  const root = fresh();
  const files = [
    'packages/a/src/a.test.ts',
    'packages/a/test/b.test.ts',
    'apps/c/src/d/c.test.ts',
    'e2e/s.test.ts',
  ];
  const others = [
    'packages/a/src/a.ts',
    'packages/a/dist/a.test.ts',
    'scripts/checks/canaries/x/e2e/y.test.ts',
  ];
  for (const file of [...files, ...others]) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  assert.deepEqual(testFiles(root, []), [...files].sort());
  assert.deepEqual(testFiles(root, ['e2e', 'b.test']), ['e2e/s.test.ts', 'packages/a/test/b.test.ts']);
});

test('the command line tool asks for npm start when nothing is built', async () => {
  const root = fresh();
  for (const file of ['bin/capstan.mjs', 'scripts/launch/require-node.mjs']) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), readFileSync(new URL(`../../${file}`, import.meta.url)));
  }
  chmodSync(join(root, 'bin/capstan.mjs'), 0o755);
  mkdirSync(join(root, 'docs'));
  const step = { title: '', command: join(root, 'bin/capstan.mjs'), env: process.env, say: () => undefined };
  const result = await runStep({ ...step, args: ['get', 'resources'], cwd: join(root, 'docs') });
  assert.equal(result.ok, false);
  assert.equal(result.output.trim(), 'run npm start once (it installs and builds)');
});

test('the pages are built again when what they are made of changes, and not for a test or their own output', () => {
  const root = fresh();
  const put = (file, text) => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  put('apps/web/src/home.tsx', 'a');
  put('packages/model/src/plan.ts', 'a');
  put('pnpm-lock.yaml', 'a');
  let before = webInputs(root);
  for (const file of ['apps/web/src/home.test.ts', 'apps/web/.next/BUILD_ID', 'apps/web/next-env.d.ts']) {
    put(file, 'x');
    assert.equal(webInputs(root), before, file);
  }
  for (const file of [
    'apps/web/src/home.tsx',
    'apps/web/messages/ru/shell.json',
    'packages/model/src/plan.ts',
    'pnpm-lock.yaml',
  ]) {
    put(file, 'b');
    assert.notEqual(webInputs(root), before, file);
    before = webInputs(root);
  }
});
