import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from 'ssh2';
import { type DebianLab, debianLabStatus, findDebianLab, startDebianLab } from '../src/debian/debian-lab.js';
import { DEBIAN_FAULTS, type DebianFault } from '../src/debian/faults.js';
import { debianSuite, labName, logInTo } from './debian-lab.js';
import { eventually, run, said } from './lab-client.js';

if (await debianSuite()) {
  describe('two Debian hosts', () => {
    const name = labName();
    let lab: DebianLab;
    let client: Client;
    before(async () => {
      lab = await startDebianLab({ ...name, names: ['one', 'two'] });
      client = await logInTo(first());
    });
    after(async () => {
      client?.end();
      await lab?.remove();
    });
    const first = () => {
      const [host] = lab.hosts;
      assert.ok(host);
      return host;
    };

    test('each is a machine: systemd runs, names and addresses are its own, sudo asks nothing', async () => {
      assert.ok(
        await eventually(
          async () => (await run(client, 'systemctl is-system-running')).stdout.toString() === 'running\n',
          20_000,
        ),
      );
      assert.equal(await said(client, 'cat /proc/1/comm'), 'systemd');
      assert.equal(await said(client, 'hostname; id -un; sudo -n id -un'), `one\n${first().user}\nroot`);
      const boots = [await said(client, 'cat /proc/sys/kernel/random/boot_id')];
      const second = lab.hosts[1];
      assert.ok(second);
      const other = await logInTo(second);
      boots.push(await said(other, 'cat /proc/sys/kernel/random/boot_id'));
      assert.equal(new Set(boots).size, 2);
      assert.equal(await said(other, 'getent ahostsv4 one | head -n 1 | cut -d" " -f1'), first().address);
      other.end();
    });

    test('what one writes stays its own', async () => {
      await said(client, 'sudo sh -c "echo mine >/etc/mine"');
      const other = await lab.inside('two', ['cat', '/etc/mine']);
      assert.equal(other.code, 1, other.stdout);
    });

    test('it is found as it is, and a second start takes it up', async () => {
      const status = debianLabStatus(name);
      assert.deepEqual([status.state, status.hosts.map((host) => host.running)], ['up', [true, true]]);
      assert.deepEqual(
        findDebianLab(name)?.hosts.map((host) => host.address),
        lab.hosts.map((host) => host.address),
      );
      const again = await startDebianLab({ ...name, names: ['one', 'two'] });
      assert.equal(again.hosts[0]?.hostKeyFingerprint, first().hostKeyFingerprint);
      await assert.rejects(startDebianLab({ ...name, names: ['three'] }), /up with other hosts \(one,two\)/);
    });

    // What shows that a host is well; each fault breaks its own.
    const signs: Record<DebianFault, () => Promise<boolean>> = {
      dns: async () => (await lab.inside('one', ['getent', 'hosts', 'two'])).code === 0,
      link: () => logsIn(2_000),
      apt: async () => {
        const update = ['apt-get', '-o', 'APT::Update::Error-Mode=any', 'update'];
        return (await lab.inside('one', update)).code === 0;
      },
      'dpkg-lock': async () => {
        const end = await lab.inside('one', ['apt-get', 'install', '-y', 'sudo']);
        if (end.code !== 0)
          assert.match(end.stderr, /Could not get lock .* It is held by process \d+ \(perl\)/);
        return end.code === 0;
      },
      disk: async () => {
        const end = await lab.inside('one', [
          'sh',
          '-c',
          'head -c 100000 /dev/zero >/var/tmp/try && sync /var/tmp/try',
        ]);
        await lab.inside('one', ['rm', '-f', '/var/tmp/try']);
        if (end.code !== 0) assert.match(end.stderr, /No space left on device/);
        return end.code === 0;
      },
      sshd: () => logsIn(2_000),
      clock: async () => Number((await lab.inside('one', ['date', '+%Y'])).stdout) >= 2025,
    };
    const logsIn = async (ms: number): Promise<boolean> => {
      try {
        (await logInTo(first(), ms)).end();
        return true;
      } catch {
        return false;
      }
    };
    for (const fault of DEBIAN_FAULTS) {
      test(`${fault} is broken and healed, twice each, and the other host feels nothing`, async () => {
        assert.equal(await signs[fault](), true, 'before');
        await lab.break(fault, 'one');
        await lab.break(fault, 'one');
        assert.equal(await signs[fault](), false, 'broken');
        assert.equal((await lab.inside('two', ['true'])).code, 0);
        await lab.heal(fault, 'one');
        await lab.heal(fault, 'one');
        assert.ok(await eventually(signs[fault], 10_000), 'healed');
      });
    }

    test("a full disk is the host's own: the machine keeps its space", async () => {
      const size = (await lab.inside('one', ['df', '--output=size', '-BM', '/'])).stdout;
      assert.ok(Number.parseInt(size.split('\n')[1] ?? '', 10) < 4_097, size);
    });

    test('a fault or a host that is none is told', async () => {
      await assert.rejects(lab.break('dns', 'three'), /no host "three": one, two/);
    });

    test('stopped, nothing of it is left', async () => {
      client.end();
      const began = Date.now();
      await lab.stop();
      assert.deepEqual(debianLabStatus(name), {
        instance: name.instance,
        state: 'down',
        hosts: [],
        remains: [],
      });
      assert.ok(Date.now() - began < 15_000);
    });
  });
}
