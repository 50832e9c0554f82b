import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireSuite } from '../scripts/suites.mjs';
import {
  alive,
  asTheUser,
  dataFolder,
  launch,
  processesOf,
  ROOT,
  runCli,
  startProduct,
  type Test,
  until,
} from './product.js';

const isRoot = process.getuid?.() === 0;
const AS_ROOT_THERE = isRoot ? [] : ['--user', '--map-root-user'];

function can(...args: string[]): boolean {
  return spawnSync('unshare', [...AS_ROOT_THERE, ...args], { stdio: 'ignore' }).status === 0;
}

/** Back to the user who runs the tests, after a step that needed more. */
function asBefore(): string {
  return isRoot ? '' : `unshare --user --map-user=${process.getuid?.()} --map-group=${process.getgid?.()} `;
}

/** What the starter passes on holds for everything below it: the processes that have this in their environment. */
function environmentOf(pid: number): Map<string, string> {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

function hostsFile(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-machine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'hosts');
  writeFileSync(file, '192.0.2.1 some-other-machine\n');
  return file;
}

const networkTools =
  can(
    '--net',
    '--mount',
    'sh',
    '-c',
    'mount --make-rprivate / && ip link set lo up && mount -t tmpfs trial /mnt',
  ) && existsSync('/etc/hosts');

if (
  requireSuite(
    'netns',
    networkTools,
    'no network namespaces here',
    'a Linux kernel with user namespaces, and ip',
  )
) {
  test('[V08] no IPv6, no name for this machine, a dead proxy, a bare environment in an unknown language', async (t) => {
    const data = dataFolder(t);
    // Nobody listens there; with a name in its place the look-up would fail as well.
    const proxy = 'http://127.0.0.1:9/';
    const bare = [
      'env',
      '-i',
      `PATH=${process.env.PATH}`,
      `CAPSTAN_DATA=${data}`,
      'HOME=/nonexistent',
      'LANG=xx_YY.ISO-8859-42',
      'LC_ALL=xx_YY.ISO-8859-42',
      ...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'].map(
        (name) => `${name}=${proxy}`,
      ),
      'NODE_USE_ENV_PROXY=1',
      'NO_PROXY=intranet',
    ];
    const world = [
      'set -eu; mount --make-rprivate /; ip link set lo up',
      'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6 || ip -6 addr flush dev lo',
      'mount --bind "$1" /etc/hosts; shift',
      asTheUser(),
    ].join('\n');
    const through = [
      'unshare',
      ...AS_ROOT_THERE,
      '--net',
      '--mount',
      'sh',
      '-c',
      world,
      'sh',
      hostsFile(t),
      ...bare,
    ];
    const product = await startProduct(
      t,
      data,
      {},
      { through: [...through, 'CAPSTAN_PORT=0'], entry: 'start' },
    );
    assert.match(product.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);

    await t.test('the processes of the server pass loopback by the proxy, and what was listed stays', () => {
      const roles = processesOf(product.pid, data).filter((one) =>
        /main\.js( api| worker)?$/.test(one.command),
      );
      assert.equal(roles.length, 3, JSON.stringify(roles));
      for (const { pid, command } of roles) {
        const environment = environmentOf(pid);
        assert.equal(environment.get('NO_PROXY'), 'intranet,127.0.0.1,localhost', command);
        assert.equal(environment.get('no_proxy'), 'intranet,127.0.0.1,localhost', command);
      }
    });

    await t.test('the command line tool reaches the server and an apply is proven', async () => {
      const user = isRoot ? [] : ['-U', '--preserve-credentials'];
      const way = { through: ['nsenter', '-t', String(product.pid), ...user, '-n', '-m', ...bare] };
      const example = join(ROOT, 'examples/postgres.yaml');
      const applied = await runCli(['apply', '-f', example, '--yes', '--wait', '--json'], {}, way);
      assert.equal(applied.code, 0, applied.stdout + applied.stderr);
      assert.equal(applied.json<{ status: string }>().status, 'succeeded');
    });

    assert.equal((await product.stop()).code, 0);
  });
}

const pidNamespace = can('--pid', '--fork', '--mount-proc', 'true');

if (requireSuite('pidns', pidNamespace, 'no pid namespaces here', 'a Linux kernel with user namespaces')) {
  for (const [title, command] of [
    ['npm', ['npm', 'start']],
    ['node', [process.execPath, 'scripts/start.mjs']],
  ] as const) {
    test(`TERM to ${title} as the first process of a container ends everything within 10 s`, async (t) => {
      const data = dataFolder(t);
      const pidNamespaceOf = ['unshare', ...AS_ROOT_THERE, '--pid', '--fork', '--kill-child', '--mount-proc'];
      const drop = asBefore().split(' ').filter(Boolean);
      const product = await startProduct(
        t,
        data,
        {},
        { through: [...pidNamespaceOf, ...drop, '--'], command },
      );
      const ran = processesOf(product.pid, data);
      const first = ran.find((one) => one.parent === product.pid);
      assert.ok(first && ran.length > 8, JSON.stringify(ran));
      const began = Date.now();
      process.kill(first.pid, 'SIGTERM');
      await until('the end of all of it', 12_000, async () => alive(ran).length === 0);
      assert.ok(Date.now() - began < 10_000, `${Date.now() - began} ms`);
      const left = readdirSync(data);
      for (const file of ['server.json', 'supervisor.lock']) assert.ok(!left.includes(file), file);
    });
  }
}

test('a start that is killed at any moment leaves nothing that the next one minds', async (t) => {
  const data = dataFolder(t);
  const seen: string[] = [];
  for (const line of [/^Starting the database$/m, /^Starting three sandbox hosts$/m]) {
    const start = launch(data, { CAPSTAN_PORT: '0' });
    await start.line(line);
    // Into the middle of what the line announces.
    await sleep(150);
    seen.push(...processesOf(start.process.pid ?? 0, data).map((one) => one.command));
    start.process.kill('SIGKILL');
    await start.ended;
  }
  assert.ok(seen.length > 2);
  const product = await startProduct(t, data);
  const hosts = await product.cli('get', 'hosts', '--json');
  assert.equal(hosts.code, 0, hosts.stderr);
  assert.equal(hosts.json<{ hosts: unknown[] }>().hosts.length, 3);
  const ran = processesOf(product.pid, data);
  assert.equal((await product.stop()).code, 0);
  assert.deepEqual(alive(ran), []);
});
