import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { identityOf } from '../src/process-table.js';
import {
  eventually,
  firstHost,
  fixture,
  logIn,
  run,
  said,
  sandboxFor,
  temporaryFolder,
  usernsSuite,
} from './lab-client.js';

if (await usernsSuite()) {
  test('a process that one channel left behind is seen and ended from another', async (t) => {
    const lab = await sandboxFor(t);
    const [first, second] = [await logIn(lab), await logIn(lab)];
    await said(first, 'setsid -f sleep 401 >/dev/null 2>&1');
    first.end();
    const pid = await said(second, 'pgrep -f "^sleep 401"');
    assert.equal(await said(second, `kill ${pid}; sleep 0.1; pgrep -f "^sleep 401" || echo none`), 'none');
  });

  test('the host has its own /etc, /root, /var and more, and the rest of the machine is read-only', async (t) => {
    const lab = await sandboxFor(t);
    const client = await logIn(lab);
    const mark = `capstan-lab-test-${process.pid}`;
    for (const folder of ['/etc', '/root', '/var', '/opt', '/home', '/tmp', '/run', '/var/tmp']) {
      await said(client, `echo x >${folder}/${mark}`);
      assert.equal(existsSync(`${folder}/${mark}`), false, folder);
    }
    assert.equal(readFileSync(join(firstHost(lab).rootfs, 'etc', mark), 'utf8'), 'x\n');
    const refused = await run(
      client,
      `for d in / /usr /usr/bin /proc/sys/vm /sys/kernel; do ! echo x 2>/dev/null >$d/${mark} || echo $d; done`,
    );
    assert.deepEqual([refused.stdout.toString(), refused.code], ['', 0]);
    assert.equal(
      await said(client, 'ls -d /dev/[hsv]d[a-z] /dev/nvme* /dev/mem 2>/dev/null || echo none'),
      'none',
    );
    assert.equal(
      await said(client, '. /etc/os-release; echo $ID $VERSION_ID; hostname; awk "BEGIN { print 1 + 1 }"'),
      'debian 12\nlab-1\n2',
    );
  });

  test("the lab's keys and what it was told to hide read as empty folders", async (t) => {
    const secret = temporaryFolder();
    writeFileSync(join(secret, 'token'), 'x');
    const lab = await sandboxFor(t, { hide: [secret, join(secret, 'absent')] });
    const client = await logIn(lab);
    for (const file of [lab.clientKeyFile, join(secret, 'token'), join(firstHost(lab).dir, 'host_key')]) {
      assert.equal(existsSync(file), true);
      assert.equal(await said(client, `cat ${file} 2>/dev/null || echo unreadable`), 'unreadable');
    }
  });

  test('two hosts see neither the files nor the processes of each other', async (t) => {
    const lab = await sandboxFor(t, { names: ['lab-1', 'lab-2'] });
    const [one, two] = await Promise.all(lab.hosts.map((host) => logIn(lab, host)));
    assert.ok(one && two);
    await said(one, 'echo mine >/root/file; setsid -f sleep 402 >/dev/null 2>&1');
    assert.equal(await said(two, 'cat /root/file 2>/dev/null; pgrep -f "^sleep 402"; hostname'), 'lab-2');
    assert.equal(await said(one, 'cat /root/file; hostname'), 'mine\nlab-1');
  });

  test('[S6] a restart is a new incarnation: the files stay, every process and /tmp and /run are gone', async (t) => {
    const lab = await sandboxFor(t);
    const host = firstHost(lab);
    const before = await logIn(lab);
    const incarnation = 'cat /proc/sys/kernel/random/boot_id; cut -d" " -f22 /proc/1/stat';
    const [first, port] = [await said(before, incarnation), host.port];
    await said(before, 'touch /root/kept /tmp/gone /run/gone; setsid -f sleep 403 >/dev/null 2>&1');
    const processes = host.processes();
    await host.faults.restart();
    assert.equal(host.port, port);
    assert.deepEqual(
      processes.filter((pid) => identityOf(pid) !== undefined),
      [],
    );
    const after = await logIn(lab);
    assert.notEqual(await said(after, incarnation), first);
    assert.equal(
      await said(after, 'ls /root/kept /tmp/gone /run/gone 2>/dev/null; pgrep -f "^sleep 403" || echo none'),
      '/root/kept\nnone',
    );
  });

  test('kill -9 of everything from inside does not take the host down, and orphans are reaped', async (t) => {
    const client = await logIn(await sandboxFor(t));
    await run(client, 'kill -9 -1');
    await said(client, 'for i in 1 2 3; do setsid -f true; done');
    assert.ok(await eventually(async () => (await said(client, 'ps -eo stat= | grep -c Z || :')) === '0'));
    await run(client, 'kill -9 -1');
    assert.equal(await said(client, 'echo alive'), 'alive');
  });

  test('another user is a number of its own for what runs, at the price of nothing else', async (t) => {
    const client = await logIn(await sandboxFor(t));
    assert.equal(
      await said(client, '"$CAPSTAN_LAB_AS" postgres sh -c \'id -un; id -u; id -g; echo $HOME; pwd\''),
      'postgres\n106\n113\n/var/lib/postgresql\n/root',
    );
    assert.equal(
      (await run(client, '"$CAPSTAN_LAB_AS" postgres sh -c "kill -KILL \\$\\$"')).signal,
      'SIGKILL',
    );
    assert.equal(
      (await run(client, '"$CAPSTAN_LAB_AS" nosuch true')).stderr,
      'capstan-as: unknown user: nosuch\n',
    );
    assert.equal(
      await said(client, 'su postgres -c "id -un"; su - capstan -c pwd; runuser -u nobody -- id -un'),
      'postgres\n/home/capstan\nnobody',
    );
    // The user's processes are the host's: root sees their environment, which is how a dead attempt is told.
    await said(client, 'MARK=here setsid -f "$CAPSTAN_LAB_AS" postgres sleep 404 >/dev/null 2>&1');
    assert.equal(
      await said(client, 'sleep 0.1; grep -cz "^MARK=here$" /proc/$(pgrep -f "^sleep 404")/environ'),
      '1',
    );
  });

  test('a change of owner is agreed to where names and files exist, and refused as the real tool refuses', async (t) => {
    const client = await logIn(await sandboxFor(t));
    await said(client, 'install -d -o postgres -g postgres -m 0750 /var/lib/postgresql && touch /root/f');
    assert.equal(await said(client, 'stat -c %a /var/lib/postgresql'), '750');
    await said(
      client,
      'chown -R postgres:postgres /var/lib/postgresql && chown 1000 /root/f && chgrp postgres /root/f',
    );
    assert.equal((await run(client, 'chown nosuch /root/f')).stderr, "chown: invalid user: 'nosuch'\n");
    assert.match((await run(client, 'chown postgres /root/none')).stderr, /No such file/);
  });

  test('with sudo rejected the login is unprivileged and the stand-in for sudo is told', async (t) => {
    const lab = await sandboxFor(t);
    const client = await logIn(lab);
    firstHost(lab).faults.rejectSudo(true);
    assert.equal(
      await said(client, 'id -un; id -u; pwd; ls $CAPSTAN_LAB_STATE'),
      'capstan\n1000\n/home/capstan\nsudo-refused',
    );
    firstHost(lab).faults.rejectSudo(false);
    assert.equal(await said(client, 'id -u; ls $CAPSTAN_LAB_STATE'), '0');
  });

  test('what is enabled comes up at every start, and is stopped in order; nothing is left', async (t) => {
    const dataDir = temporaryFolder();
    const lab = await sandboxFor(t, { dataDir, standIns: fixture('units') });
    const host = firstHost(lab);
    assert.equal(host.bootProblem, undefined);
    assert.match(await said(await logIn(lab), 'pgrep -f "^sleep 1000"'), /^\d+$/);
    await host.faults.restart();
    const processes = host.processes();
    const before = Date.now();
    await lab.stop();
    assert.ok(Date.now() - before < 5_000);
    assert.deepEqual(
      processes.filter((pid) => identityOf(pid) !== undefined),
      [],
    );
    const log = readFileSync(join(host.rootfs, 'var/lib/capstan-lab/boots'), 'utf8');
    assert.match(log, /^booted \d+\nbooted \d+\nhalted\n$/);
  });

  test('a boot that fails is told in its own words and the host is up all the same', async (t) => {
    const lab = await sandboxFor(t, { standIns: fixture('broken') });
    assert.match(firstHost(lab).bootProblem ?? '', /ended with 4: no unit file for x/);
    assert.equal(await said(await logIn(lab), 'echo up'), 'up');
  });

  test('a later start on the same folder finds port, host key, login key and files', async (t) => {
    const dataDir = temporaryFolder();
    const first = await sandboxFor(t, { dataDir });
    const known = [firstHost(first).port, firstHost(first).hostKeyFingerprint, first.clientPublicKey];
    await said(await logIn(first), 'echo kept >/etc/app.conf');
    await assert.rejects(sandboxFor(t, { dataDir }), new RegExp(`run by process ${process.pid}`));
    await first.stop();
    const second = await sandboxFor(t, { dataDir });
    assert.deepEqual(
      [firstHost(second).port, firstHost(second).hostKeyFingerprint, second.clientPublicKey],
      known,
    );
    assert.equal(await said(await logIn(second), 'cat /etc/app.conf'), 'kept');
    assert.equal(statSync(firstHost(second).dir).isDirectory(), true);
  });

  test('a data path with blanks, quotes and more than 300 characters works', async (t) => {
    const dataDir = join(temporaryFolder(), `it's "deep" $HOME`, 'd'.repeat(150), 'e'.repeat(150));
    mkdirSync(dataDir, { recursive: true });
    const lab = await sandboxFor(t, { dataDir });
    assert.equal(await said(await logIn(lab), 'touch /etc/x && cat /etc/hostname'), 'lab-1');
  });

  test('stand-ins below a folder that the host covers are shown at their own path, without the rest of it', async (t) => {
    const folder = temporaryFolder(); // below /tmp, which the host has its own of
    mkdirSync(join(folder, 'stand-ins'));
    writeFileSync(join(folder, 'stand-ins', 'apt-get'), '#!/bin/sh\necho stand-in of $CAPSTAN_LAB_HOST\n', {
      mode: 0o755,
    });
    writeFileSync(join(folder, 'private'), 'x');
    const client = await logIn(await sandboxFor(t, { standIns: join(folder, 'stand-ins') }));
    assert.equal(await said(client, `apt-get; ls ${folder}`), 'stand-in of lab-1\nstand-ins');
    assert.equal(await said(client, '"$CAPSTAN_LAB_NODE" -p 6*7'), '42');
  });
}
