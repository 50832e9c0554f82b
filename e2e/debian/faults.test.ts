import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../product.js';
import { debianSuite, type OnDebian, startOnDebian } from './product-on-debian.js';

const MINUTES = 60_000;
const trial = (name: string, count: number) =>
  `{action: run, target_resource_type: trial, desired_result: {name: ${name}, ticks: ${count}}, hosts: [node/h]}`;
const ticks = (count: number) => Array.from({ length: count }, (_, at) => `tick ${at}\n`).join('');

async function ranOnce(on: OnDebian, name: string, operation: string, count: number): Promise<void> {
  const done = await on.reaches(operation, 'succeeded', 90_000);
  assert.ok(
    done.nodes.every((node) => node.attempt === 1),
    JSON.stringify(done.nodes),
  );
  assert.equal(await on.log(operation, 'tick'), ticks(count));
  const user = on.lab.hosts[0]?.user;
  assert.equal(await on.root('h', `cat ~${user}/trial-${name}`), 'ran\n');
}

async function ticking(on: OnDebian, operation: string): Promise<void> {
  await until('the job prints', 30_000, async () => (await on.log(operation, 'tick')).includes('tick 2\n'));
}

if (await debianSuite()) {
  test('what happens to real hosts', { timeout: 8 * MINUTES }, async (t) => {
    const on = await startOnDebian(t, ['h']);
    const { lab } = on;

    await t.test('a clock that answers wrongly stops before anything is installed', async () => {
      await lab.break('clock', 'h');
      const operation = await on.apply(
        '{action: install, target_resource_type: postgres, desired_result: {name: late}, hosts: [node/h]}',
      );
      const asked = await on.reaches(operation, 'needs_attention', 60_000);
      const said = asked.nodes
        .flatMap((node) => node.evidence)
        .map((one) => one.observed)
        .join('\n');
      assert.match(said, /the clock of this host says 20\d\d-/);
      assert.equal(await on.root('h', 'dpkg-query -W postgresql 2>/dev/null || echo none'), 'none\n');
      await lab.heal('clock', 'h');
      assert.equal((await on.product.cli('cancel', operation)).code, 0);
    });

    await t.test(
      '[C13] sshd restarted and its sessions killed in the middle of a job: the job is found again',
      async () => {
        const operation = await on.apply(trial('restart', 100));
        await ticking(on, operation);
        await lab.break('sshd', 'h');
        await lab.heal('sshd', 'h');
        await ranOnce(on, 'restart', operation, 100);
      },
    );

    await t.test(
      '[C13] a link that is down for a while: the job is found again, with every line',
      async () => {
        const operation = await on.apply(trial('link', 100));
        await ticking(on, operation);
        await lab.break('link', 'h');
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        await lab.heal('link', 'h');
        await ranOnce(on, 'link', operation, 100);
      },
    );

    await t.test(
      '[C13] a host that was rebooted in the middle of a job: the job is not said to have succeeded',
      async () => {
        const operation = await on.apply(trial('reboot', 300));
        await ticking(on, operation);
        await lab.reboot('h');
        const shown = await on.reaches(operation, 'needs_attention', 60_000);
        assert.equal(shown.nodes[0]?.attempt, 1);
        assert.match(shown.nodes[0]?.reason ?? '', /restarted|boot/i);
        assert.equal((await on.product.cli('cancel', operation)).code, 0);
      },
    );

    await t.test(
      '[C14] MaxSessions 2: jobs at the same time wait for each other and none fails',
      async () => {
        const limit = '/etc/ssh/sshd_config.d/limit.conf';
        await on.root(
          'h',
          `printf 'MaxSessions 2\\nMaxStartups 3:50:5\\n' >${limit} && systemctl restart ssh && pkill -x sshd -P 1 || true`,
        );
        await lab.break('sshd', 'h');
        await lab.heal('sshd', 'h');
        const names = Array.from({ length: 6 }, (_, at) => `many-${at}`);
        const operations = await Promise.all(names.map((name) => on.apply(trial(name, 20))));
        for (const [at, operation] of operations.entries()) await ranOnce(on, names[at] ?? '', operation, 20);
        await on.root('h', `rm ${limit}`);
        await lab.break('sshd', 'h');
        await lab.heal('sshd', 'h');
      },
    );

    await t.test(
      '[C17][V07] a full disk is named with its path, uses up no attempt, and goes on when there is room',
      async () => {
        await lab.break('disk', 'h');
        const operation = await on.apply(trial('full', 3));
        const asked = await on.reaches(operation, 'needs_attention', 30_000);
        assert.match(
          asked.nodes.map((node) => node.reason).join('\n'),
          /no space on \/\S+ \(\d+ bytes free\)/,
        );
        await lab.heal('disk', 'h');
        await ranOnce(on, 'full', operation, 3);
      },
    );
  });
}
