import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debianSuite, type Operation, startOnDebian } from './product-on-debian.js';

const MINUTES = 60_000;
const trial = (name: string, ticks: number) =>
  `{action: run, target_resource_type: trial, desired_result: {name: ${name}, ticks: ${ticks}}, hosts: [node/h]}`;
const become = (name: string) =>
  `{action: run, target_resource_type: become, desired_result: {name: ${name}}, hosts: [node/h]}`;
const ticks = (count: number) => Array.from({ length: count }, (_, at) => `tick ${at}\n`).join('');

/** The job ran once, at the first try, and its check read the mark of one run and not a byte more. */
function ranOnce(operation: Operation): void {
  const node = operation.nodes.find((one) => one.key === 'tick');
  assert.deepEqual([node?.status, node?.attempt], ['succeeded', 1], JSON.stringify(operation.nodes));
  assert.deepEqual(
    node?.evidence.map((one) => [one.verdict, one.observed, one.provenance]),
    [['confirmed', 'exit code 0\n1', 'real']],
  );
}

if (await debianSuite()) {
  test('logins as people have them', { timeout: 8 * MINUTES }, async (t) => {
    const on = await startOnDebian(t, ['h']);
    const { product } = on;
    const user = on.lab.hosts[0]?.user ?? '';

    await t.test('[V01] a profile that talks is in no log and no evidence', async () => {
      const noise = 'echo hello from bashrc; echo warn >&2';
      await on.root(
        'h',
        `sed -i '1i ${noise}' ~${user}/.bashrc && cp /etc/profile /etc/profile.kept && echo '${noise}' >>/etc/profile`,
      );
      const operation = await on.apply(trial('noise', 3));
      ranOnce(await on.reaches(operation, 'succeeded'));
      assert.equal(await on.log(operation, 'tick'), ticks(3));
    });

    await t.test(
      '[V04] under umask 077 a job as another user reads what is its own, and no more is open',
      async () => {
        await on.root('h', `sed -i '1i umask 077' ~${user}/.bashrc && echo 'umask 077' >>/etc/profile`);
        const operation = await on.apply(become('umask'));
        const done = await on.reaches(operation, 'succeeded');
        assert.deepEqual(
          [...done.nodes].flatMap((node) => node.evidence.map((one) => one.observed)).at(-1),
          'exit code 0\ngames',
        );
        assert.equal(await on.log(operation, 'mark'), 'games\n');
        await on.root('h', `sed -i '1,2d' ~${user}/.bashrc && mv /etc/profile.kept /etc/profile`);
      },
    );

    for (const shell of ['tcsh', 'fish']) {
      await t.test(
        `[V02] with ${shell} as login shell a job starts, is followed, found again and cancelled`,
        async () => {
          await on.root(
            'h',
            `command -v ${shell} || { apt-get -q update && apt-get -q install -y --no-install-recommends ${shell}; } >&2`,
          );
          await on.root('h', `chsh -s "$(command -v ${shell})" ${user}`);
          const operation = await on.apply(trial(shell, 3));
          ranOnce(await on.reaches(operation, 'succeeded'));
          assert.equal(await on.log(operation, 'tick'), ticks(3));
          const second = await on.apply(trial(`${shell}-cancel`, 600));
          await on.reaches(second, 'running');
          const cancelled = await product.cli('cancel', second);
          assert.equal(cancelled.code, 0, cancelled.stderr);
          await on.reaches(second, 'cancelled');
          const left = await on.lab.inside('h', ['pgrep', '-f', 'tick.sh']);
          assert.equal(left.code, 1, left.stdout);
          await on.root('h', `chsh -s /bin/bash ${user}`);
        },
      );
    }

    await t.test(
      '[V06] an expired password asks a person within 15 s, in words; changed, it goes on by itself',
      async () => {
        await on.root('h', `echo ${user}:a-password-that-expired | chpasswd && chage -d 0 ${user}`);
        await on.root('h', `pkill -x sshd -u ${user} || true`);
        const operation = await on.apply(trial('expired', 1));
        const asked = await on.reaches(operation, 'needs_attention', 15_000);
        assert.match(
          asked.nodes.map((node) => node.reason).join('\n'),
          /password.*expired|expired.*password/i,
        );
        await on.root('h', `chage -d -1 ${user}`);
        ranOnce(await on.reaches(operation, 'succeeded'));
      },
    );

    await t.test('[C15] sudo that asks for a password needs a person, not a time-out', async () => {
      const rule = `/etc/sudoers.d/${user}`;
      await on.root('h', `sed -i 's/NOPASSWD: //' ${rule}`);
      const operation = await on.apply(become('sudo'));
      const asked = await on.reaches(operation, 'needs_attention', 30_000);
      assert.match(asked.nodes.map((node) => node.reason).join('\n'), /sudo.*password|password is required/i);
      await on.root('h', `sed -i 's/ALL$/NOPASSWD: ALL/' ${rule} && sudo -l -U ${user}`);
      const node = asked.nodes.find((one) => one.status !== 'succeeded' && one.reason)?.key ?? '';
      if ((await on.show(operation)).status === 'needs_attention')
        await product.cli('retry', operation, node);
      await on.reaches(operation, 'succeeded');
    });
  });
}
