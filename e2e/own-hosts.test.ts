import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder, startProduct, until } from './product.js';

interface HostRow {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly environment: string;
  readonly hostKeyFingerprint: string;
}

test('hosts of your own: keys are pinned, trouble is named, and it goes on by itself', async (t) => {
  const data = dataFolder(t);
  const product = await startProduct(t, data, { CAPSTAN_UNREACHABLE_AFTER: '2s' });
  const listed = await product.cli('host', 'list', '--json');
  const { hosts } = listed.json<{ hosts: HostRow[] }>();
  assert.deepEqual(
    hosts.map((host) => [host.name, host.environment]),
    [
      ['lab-1', 'lab'],
      ['lab-2', 'lab'],
      ['lab-3', 'lab'],
    ],
  );
  const [lab1, lab2] = hosts;
  assert.ok(lab1 && lab2);

  const add = (name: string, port: number, fingerprint: string) =>
    product.cli(
      'host',
      'add',
      name,
      ...['--address', lab1.address, '--port', String(port), '--user', lab1.user],
      ...['--key', join(data, 'lab/keys/client'), '--host-key', fingerprint],
    );
  const intent = (name: string, host: string): string => {
    const file = join(data, `${name}.yaml`);
    writeFileSync(
      file,
      `intent: {action: run, target_resource_type: trial, desired_result: {name: ${name}, ticks: 1}, hosts: [${host}]}\n`,
    );
    return file;
  };

  await t.test('a host is added once, with a sound fingerprint and a key that is one', async () => {
    assert.equal((await add('mine', lab1.port, 'SHA256:nothing')).code, 2);
    const added = await add('mine', lab1.port, lab2.hostKeyFingerprint);
    assert.equal(added.code, 0, added.stderr);
    const again = await add('mine', lab2.port, lab2.hostKeyFingerprint);
    assert.match(again.stderr, /known already/);
    const rows = (await product.cli('host', 'list', '--json')).json<{ hosts: HostRow[] }>().hosts;
    const mine = rows.find((host) => host.name === 'mine');
    assert.deepEqual([mine?.port, mine?.environment], [lab1.port, 'default']);
    const rest = [
      'other',
      ...['--address', lab1.address, '--user', 'u', '--key', join(data, 'lab/keys/client')],
    ];
    const pinned = ['--host-key', lab1.hostKeyFingerprint, '--environment'];
    const inLab = await product.cli('host', 'add', ...rest, ...pinned, 'lab');
    assert.equal(inLab.code, 2);
    assert.match(inLab.stderr, /it is a lab/);
    const inProd = await product.cli('host', 'add', ...rest, ...pinned, 'prod');
    assert.equal(inProd.code, 0, inProd.stderr);
    const missing = [
      '--address',
      'x',
      '--user',
      'u',
      '--key',
      join(data, 'nothing'),
      '--host-key',
      lab1.hostKeyFingerprint,
    ];
    assert.equal((await product.cli('host', 'add', 'third', ...missing)).code, 2);
  });

  await t.test(
    '[C39] another key than the pinned one asks a person at once; accepted, it goes on by itself',
    async () => {
      const applied = await product.cli(
        'apply',
        '-f',
        intent('keys', 'node/mine'),
        '--yes',
        '--wait',
        '--json',
      );
      assert.equal(applied.code, 3, applied.stdout);
      const { operation, nodes } = applied.json<{ operation: string; nodes: { reason: string | null }[] }>();
      const reasons = nodes.map((node) => node.reason ?? '').join('\n');
      assert.match(reasons, /host_key_changed/);
      assert.ok(
        reasons.includes(lab1.hostKeyFingerprint) && reasons.includes(lab2.hostKeyFingerprint),
        reasons,
      );
      assert.match(applied.stderr, /capstan host accept-key/);
      const accepted = await product.cli('host', 'accept-key', 'mine', lab1.hostKeyFingerprint);
      assert.equal(accepted.code, 0, accepted.stderr);
      await until('the operation succeeds', 60_000, async () => {
        const shown = await product.cli('operation', 'show', operation, '--json');
        return shown.json<{ status: string }>().status === 'succeeded';
      });
    },
  );

  await t.test('a host that does not answer: needs attention after the set time, in words', async () => {
    assert.equal((await add('gone', 9, lab1.hostKeyFingerprint)).code, 0);
    const applied = await product.cli('apply', '-f', intent('gone', 'gone'), '--yes', '--wait', '--json');
    assert.equal(applied.code, 3, applied.stdout);
    assert.match(applied.stdout, /unreachable/);
    assert.match(applied.stderr, /goes on by itself when the host answers/);
  });
});
