import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { usernsSuite } from './lab-client.js';
import { openPackHost, type PackHost, packFile } from './pack-host.js';

if (await usernsSuite()) {
  describe('the checks of the pack host', () => {
    let on: PackHost;
    before(async () => {
      on = await openPackHost();
    });
    after(() => on.close());

    /** Runs a check with a program in front of the host's own. */
    const withTool = async (check: string, tool: string, body: string) => {
      on.put(`/tmp/bin/${tool}`, `#!/bin/sh\n${body}\n`);
      await on.shell(`chmod 755 /tmp/bin/${tool}`);
      const end = await on.shell(`PATH=/tmp/bin:$PATH sh '${packFile(`host/files/${check}.sh`)}'`);
      await on.shell(`rm /tmp/bin/${tool}`);
      return end;
    };

    test('each passes on a sandbox host and says in JSON what it saw', async () => {
      const seen: Record<string, Record<string, unknown>> = {};
      for (const check of [
        'ssh-answers',
        'debian-like',
        'sudo-without-prompt',
        'disk-space',
        'clock-sane',
        'apt-present',
      ]) {
        const end = await on.script(`host/files/${check}.sh`);
        assert.deepEqual([check, end.code, end.stderr], [check, 0, '']);
        seen[check] = JSON.parse(end.stdout) as Record<string, unknown>;
      }
      assert.deepEqual(seen['ssh-answers'], { user: 'root', uid: 0, hostname: 'lab-1' });
      assert.equal(seen['debian-like']?.os, 'debian');
      assert.equal(seen['debian-like']?.version, '12');
      assert.equal(seen['disk-space']?.path, '/var');
      assert.equal(seen['disk-space']?.minimum_bytes, 1073741824);
      assert.equal(seen['apt-present']?.version, '2.6.1');
      assert.equal((await on.script('host/files/look.sh')).code, 0);
    });

    test('too little space fails with the path, the free bytes and the minimum', async () => {
      const end = await withTool(
        'disk-space',
        'df',
        "printf 'Filesystem 1024-blocks Used Available Capacity Mounted on\\n/dev/x 100 90 10 90%% /var\\n'",
      );
      assert.equal(end.code, 1);
      assert.equal(end.stdout, '{"path":"/var","free_bytes":10240,"minimum_bytes":1073741824}\n');
      assert.equal(end.stderr, 'disk full: /var has 10240 bytes free, at least 1073741824 are needed\n');
    });

    test('a clock of 1970 fails with the time that it shows', async () => {
      const end = await withTool('clock-sane', 'date', 'echo 1970-01-01T00:00:07Z');
      assert.deepEqual(
        [end.code, end.stderr],
        [1, 'the clock of this host says 1970-01-01T00:00:07Z; set it right first\n'],
      );
    });

    test('a sudo that asks for a password fails with its words', async () => {
      on.host.faults.rejectSudo(true);
      const end = await on.script('host/files/sudo-without-prompt.sh');
      on.host.faults.rejectSudo(false);
      assert.equal(end.code, 1);
      assert.equal(
        end.stderr,
        'capstan may not become root without a prompt: sudo: a password is required\n',
      );
    });

    test('another family of systems fails with its name', async () => {
      const own = on.read('/etc/os-release');
      on.put('/etc/os-release', 'ID=alpine\nVERSION_ID=3.20.1\nPRETTY_NAME="Alpine Linux v3.20"\n');
      const end = await on.script('host/files/debian-like.sh');
      on.put(
        '/etc/os-release',
        'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04 LTS"\n',
      );
      const ubuntu = await on.script('host/files/debian-like.sh');
      on.put('/etc/os-release', own);
      assert.equal(end.code, 1);
      assert.equal(
        end.stderr,
        'this is Alpine Linux v3.20 (ID=alpine); Debian or a system of its family is needed\n',
      );
      assert.equal(ubuntu.code, 0);
    });

    test('an apt that does not answer fails', async () => {
      const end = await withTool('apt-present', 'apt-get', 'echo broken >&2; exit 127');
      assert.deepEqual([end.code, end.stderr], [1, 'apt-get does not answer: broken\n']);
    });
  });
}
