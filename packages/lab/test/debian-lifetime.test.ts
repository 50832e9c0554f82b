import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type DebianLabName,
  debianLabStatus,
  findDebianLab,
  removeDebianLab,
  startDebianLab,
} from '../src/debian/debian-lab.js';
import { debianSuite, labName, logInTo } from './debian-lab.js';
import { eventually } from './lab-client.js';

const STARTER = fileURLToPath(new URL('fixtures/start-debian.ts', import.meta.url));

if (await debianSuite()) {
  test('a start that is killed in the middle is removed whole; the next one brings the same host', async (t) => {
    const name = labName();
    t.after(() => removeDebianLab(name, { keepKeys: false }));
    const starter = start(name);
    // Killed while the host boots: processes, mounts and links are there, and nobody is left who knows them.
    const booting = () => debianLabStatus(name).hosts.some((host) => host.running);
    assert.ok(await eventually(booting, 120_000));
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    const { state, remains } = debianLabStatus(name);
    assert.equal(state, 'broken');
    for (const kind of ['process', 'mount', 'network namespace', 'link']) {
      assert.ok(
        remains.some((one) => one.startsWith(kind)),
        `${kind}: ${remains.join(', ')}`,
      );
    }
    assert.equal(findDebianLab(name), undefined);

    await removeDebianLab(name);
    assert.deepEqual(debianLabStatus(name), {
      instance: name.instance,
      state: 'down',
      hosts: [],
      remains: [],
    });

    const first = await startDebianLab({ ...name, names: ['one'] });
    const [host] = first.hosts;
    assert.ok(host);
    (await logInTo(host)).end();
    await first.stop();
    const second = await startDebianLab({ ...name, names: ['one'] });
    assert.deepEqual(second.hosts, first.hosts);
    await second.remove();
    assert.ok(!existsSync(join(name.cache, 'labs', name.instance)));
  });

  test('a lab that its starter left up goes on, and its neighbour is taken down without it', async (t) => {
    const [stays, goes] = [labName(), labName()];
    for (const name of [stays, goes]) t.after(() => removeDebianLab(name, { keepKeys: false }));
    for (const name of [stays, goes]) {
      const [code] = (await once(start(name), 'exit')) as [number];
      assert.equal(code, 0);
    }
    assert.notEqual(findDebianLab(stays)?.hosts[0]?.address, findDebianLab(goes)?.hosts[0]?.address);
    await removeDebianLab(goes);
    assert.deepEqual(debianLabStatus(goes).remains, []);
    assert.equal(debianLabStatus(stays).state, 'up');
  });

  test('what a name does not fit is refused before anything is made', async () => {
    const { cache } = labName();
    for (const instance of ['', 'Lab', 'a-b', 'toolong', '../x']) {
      await assert.rejects(startDebianLab({ cache, instance, names: ['one'] }), /no name for a lab/);
    }
    for (const names of [[], ['One'], ['a', 'a'], ['../x']]) {
      await assert.rejects(startDebianLab({ ...labName(), names }), /host/);
    }
  });
}

function start(name: DebianLabName) {
  return spawn(
    process.execPath,
    [
      '--conditions=capstan-source',
      '--import',
      './scripts/swc-hook.mjs',
      STARTER,
      name.cache,
      name.instance ?? '',
    ],
    { cwd: fileURLToPath(new URL('../../..', import.meta.url)), stdio: ['ignore', 'inherit', 'inherit'] },
  );
}
