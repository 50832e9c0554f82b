import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { identityOf } from '../src/process-table.js';
import { startSandbox } from '../src/sandbox.js';
import { eventually, firstHost, logIn, run, said, sandboxFor, temporaryFolder } from './lab-client.js';

test('without isolation the host says so and keeps its files in its folder', async (t) => {
  const lab = await sandboxFor(t, { isolation: 'none' });
  const host = firstHost(lab);
  assert.deepEqual(
    [lab.isolation, lab.isolationReason, host.isolated, host.provenance],
    ['none', undefined, false, 'stand_in'],
  );
  const client = await logIn(lab);
  const told = await said(
    client,
    'pwd; echo $HOME; echo $HOST_ROOT; echo $CAPSTAN_LAB_STATE; echo $CAPSTAN_LAB_ISOLATION; cat $HOST_ROOT/etc/hostname',
  );
  const { rootfs } = host;
  assert.deepEqual(told.split('\n'), [
    join(rootfs, 'root'),
    join(rootfs, 'root'),
    join(rootfs, '/'),
    join(rootfs, 'var/lib/capstan-lab'),
    'none',
    'lab-1',
  ]);
  assert.equal((await run(client, 'cat; exit 9', 'bytes\0')).stdout.toString(), 'bytes\0');
});

test('without isolation a stop and a restart still end what the host ran, and nothing else', async (t) => {
  const lab = await sandboxFor(t, { isolation: 'none', names: ['lab-1', 'lab-2'] });
  const [one, two] = lab.hosts;
  assert.ok(one && two);
  const start = async (host: typeof one, seconds: number) =>
    Number(await said(await logIn(lab, host), `setsid sleep ${seconds} >/dev/null 2>&1 & echo $!`));
  const pids = [await start(one, 601), await start(two, 602)] as const;
  const alive = () => pids.map((pid) => identityOf(pid) !== undefined);
  assert.deepEqual(alive(), [true, true]);
  await one.faults.restart();
  assert.ok(await eventually(() => !alive()[0]));
  assert.deepEqual(alive(), [false, true]);
  await lab.stop();
  assert.ok(await eventually(() => !alive()[1]));
});

test('a name that is no host name, and stand-ins inside the hidden folder, are refused in words', async () => {
  const dataDir = temporaryFolder();
  await assert.rejects(startSandbox({ dataDir, names: ['Lab_1'] }), /not a host name: "Lab_1"/);
  await assert.rejects(startSandbox({ dataDir, names: ['lab-1', 'lab-1'] }), /given twice/);
  const refused = startSandbox({ dataDir, names: ['lab-1'], isolation: 'none', standIns: dataDir });
  await assert.rejects(refused, /lies in .* which is hidden there/);
});
