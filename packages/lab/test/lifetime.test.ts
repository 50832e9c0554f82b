import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ssh2 from 'ssh2';
import { requireSuite } from '../../../scripts/suites.mjs';
import { toolPath } from '../src/namespace.js';
import { identityOf } from '../src/process-table.js';
import { startSandbox } from '../src/sandbox.js';
import { eventually, fixture, said, sandboxFor, temporaryFolder, usernsSuite } from './lab-client.js';

interface Running {
  readonly child: ChildProcess;
  readonly isolation: string;
  readonly clientKeyFile: string;
  readonly hosts: readonly { address: string; port: number; user: string }[];
  readonly processes: readonly number[];
}

if (await usernsSuite()) {
  test('kill -9 of the process that runs the lab leaves no process, and the folder starts again', async (t) => {
    const dataDir = temporaryFolder();
    const lab = await runLab(t, dataDir);
    const client = await login(lab);
    await said(
      client,
      'setsid -f sleep 501 >/dev/null 2>&1; setsid -f sh -c \'trap "" TERM HUP; sleep 502\' >/dev/null 2>&1',
    );
    assert.ok(sleepers() >= 2);
    const before = [...lab.processes];
    const ended = new Promise((resolve) => lab.child.once('exit', resolve));
    lab.child.kill('SIGKILL');
    await ended;
    assert.ok(await eventually(() => before.every((pid) => identityOf(pid) === undefined), 5_000));
    assert.ok(await eventually(() => sleepers() === 0, 5_000));
    const again = await sandboxFor(t, { dataDir, names: ['lab-1', 'lab-2'] });
    assert.deepEqual(
      again.hosts.map((host) => host.port),
      lab.hosts.map((host) => host.port),
    );
  });

  test('[C17] a host whose record finds no room fails in words and leaves no process', async () => {
    const dataDir = temporaryFolder();
    const host = join(dataDir, 'hosts', 'lab-1');
    mkdirSync(host, { recursive: true });
    // As on a full disk, the host is up when its record cannot be written.
    symlinkSync(join(dataDir, 'no-such-folder', 'holder.json'), join(host, 'holder.json'));
    await assert.rejects(startSandbox({ dataDir, names: ['lab-1'] }), /ENOENT.*holder\.json/);
    assert.ok(
      await eventually(() => processesNaming(host).length === 0, 5_000),
      processesNaming(host).join(),
    );
  });

  const setpriv = toolPath('setpriv');
  const mayDrop = process.getuid?.() !== 0 || setpriv !== undefined;
  if (requireSuite('userns-nobody', mayDrop, 'setpriv is missing', 'install util-linux')) {
    test('without root, from a folder that cannot be written: isolated all the same', async (t) => {
      const dataDir = temporaryFolder();
      if (process.getuid?.() === 0) chownSync(dataDir, 65534, 65534);
      const lab = await runLab(t, dataDir, process.getuid?.() === 0 ? (setpriv as string) : undefined);
      assert.equal(lab.isolation, 'userns');
      const client = await login(lab);
      assert.equal(
        await said(client, 'id -u; pwd; echo x >/etc/x; cat /etc/x; hostname'),
        '0\n/root\nx\nlab-1',
      );
      assert.equal(
        await said(
          client,
          '"$CAPSTAN_LAB_AS" postgres id -un; chown postgres /etc/x; touch /usr/x 2>&1 || :',
        ),
        "postgres\ntouch: cannot touch '/usr/x': Read-only file system",
      );
      const ended = new Promise((resolve) => lab.child.once('exit', resolve));
      lab.child.kill('SIGTERM');
      assert.equal(await ended, 0);
      assert.deepEqual(
        lab.processes.filter((pid) => identityOf(pid) !== undefined),
        [],
      );
    });
  }
}

async function runLab(t: TestContext, dataDir: string, setpriv?: string): Promise<Running> {
  const hook = fileURLToPath(new URL('../../../scripts/swc-hook.mjs', import.meta.url));
  const node = [
    process.execPath,
    '--conditions=capstan-source',
    '--import',
    hook,
    fixture('run-lab.ts'),
    dataDir,
  ];
  const drop = setpriv ? [setpriv, '--reuid=65534', '--regid=65534', '--clear-groups', '--'] : [];
  const [file, ...args] = [...drop, ...node] as [string, ...string[]];
  const child = spawn(file, args, {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
  });
  t.after(() => child.kill('SIGKILL'));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the lab ended with ${code}`)));
  });
  return { child, ...(JSON.parse(line) as Omit<Running, 'child'>) };
}

function login(lab: Running): Promise<ssh2.Client> {
  const [host] = lab.hosts;
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.on('error', reject);
    client.once('ready', () => resolve(client));
    client.connect({
      ...host,
      host: host?.address,
      username: host?.user,
      privateKey: readFileSync(lab.clientKeyFile),
    });
  });
}

/** Processes of the hosts' commands that are still there, seen from the machine. */
function sleepers(): number {
  return commandLines().filter((line) => /sleep\W(501|502)\b/.test(line)).length;
}

function processesNaming(path: string): readonly string[] {
  return commandLines().filter((line) => line.includes(path));
}

function commandLines(): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    } catch {
      return ''; // it has just ended
    }
  });
}
