import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { alive, dataFolder, type Product, processesOf, startProduct, until } from './product.js';

interface Applied {
  readonly operation: string;
  readonly status: string;
  readonly nodes: readonly {
    readonly key: string;
    readonly status: string;
    readonly reason: string | null;
  }[];
}

interface Resources {
  readonly resources: readonly {
    readonly key: string;
    readonly type: string;
    readonly environment: string;
    readonly facts: readonly {
      readonly capability: string;
      readonly state: string;
      readonly provenance: string;
      readonly attributes: {
        readonly host: string;
        readonly port: number;
        readonly database: string;
        readonly user: string;
      };
    }[];
  }[];
}

async function databaseFact(product: Product) {
  const { resources } = (await product.cli('get', 'resources', '--json')).json<Resources>();
  const postgres = resources.find((one) => one.key === 'postgres/main');
  const fact = postgres?.facts.find((one) => one.capability === 'database.postgresql');
  assert.ok(postgres && fact, JSON.stringify(resources));
  return { postgres, fact };
}

async function password(product: Product): Promise<string> {
  const revealed = await product.cli('artifact', 'get', 'postgres/main', 'database_password', '--reveal');
  assert.equal(revealed.code, 0, revealed.stderr);
  return revealed.stdout;
}

function trialFile(product: Product, name: string, ticks: number): string {
  const file = join(product.data, `trial-${name}.yaml`);
  const intent = `intent: {action: run, target_resource_type: trial, desired_result: {name: ${name}, ticks: ${ticks}}, hosts: [node/lab-2]}`;
  writeFileSync(file, `${intent}\n`);
  return file;
}

async function statusOf(product: Product, operation: string): Promise<string> {
  return (await product.cli('operation', 'show', operation, '--json')).json<{ status: string }>().status;
}

test('the CLI story', async (t) => {
  const data = dataFolder(t);
  const product = await startProduct(t, data);

  await t.test('apply proves a PostgreSQL that answers a query with the revealed password', async () => {
    const applied = await product.cli('apply', '-f', 'examples/postgres.yaml', '--yes', '--wait', '--json');
    const { operation, status, nodes } = applied.json<Applied>();
    assert.equal(status, 'succeeded', JSON.stringify(nodes) + applied.stderr);
    assert.equal(applied.code, 0);
    assert.match(operation, /^op-\d+$/);
    assert.ok(nodes.length >= 5 && nodes.every((node) => node.status === 'succeeded'));
    const { postgres, fact } = await databaseFact(product);
    assert.deepEqual([postgres.type, postgres.environment], ['postgres', 'lab']);
    assert.deepEqual([fact.state, fact.provenance], ['holds', 'stand_in']);
    const { host, port, database, user } = fact.attributes;
    const client = new pg.Client({ host, port, database, user, password: await password(product) });
    await client.connect();
    const answer = await client.query('select 6 * 7 as answer, current_user as me');
    await client.end();
    assert.deepEqual(answer.rows, [{ answer: 42, me: 'main' }]);
    const wrong = new pg.Client({ host, port, database, user, password: 'wrong' });
    await assert.rejects(wrong.connect(), /password authentication failed/);
  });

  await t.test('for people the card says what is real and what is simulated', async () => {
    const card = await product.cli('get', 'resources');
    assert.match(card.stdout, /postgres\/main[\s\S]*real PostgreSQL \d+[\d.]*, simulated host/);
    assert.match(card.stdout, /database\.postgresql +holds +stand-in/);
  });

  await t.test('a second apply finds everything satisfied and keeps the password', async () => {
    const before = await password(product);
    const applied = await product.cli('apply', '-f', 'examples/postgres.yaml', '--yes', '--wait', '--json');
    const { status, nodes } = applied.json<Applied>();
    assert.equal(status, 'succeeded', applied.stderr);
    assert.ok(nodes.length > 0);
    for (const node of nodes)
      assert.deepEqual([node.status, node.reason], ['succeeded', 'already_satisfied'], node.key);
    assert.equal(await password(product), before);
  });

  await t.test(
    'while one runs the second one is refused, naming it; the output can be followed',
    async () => {
      const file = trialFile(product, 'busy', 30);
      const first = await product.cli('apply', '-f', file, '--yes', '--json');
      assert.equal(first.code, 0, first.stderr);
      const { operation } = first.json<Applied>();
      const second = await product.cli('apply', '-f', file, '--yes', '--json');
      assert.equal(second.code, 2);
      const [problem] = second.json<{ problems: { code: string; text: string }[] }>().problems;
      assert.equal(problem?.code, 'operation_running');
      assert.match(problem?.text ?? '', new RegExp(`\\b${operation}\\b`));
      const followed = await product.cli('logs', operation, 'tick', '--follow');
      assert.equal(followed.stdout, Array.from({ length: 30 }, (_, i) => `tick ${i}\n`).join(''));
      assert.equal(await statusOf(product, operation), 'succeeded');
    },
  );

  await t.test('broken documents are refused with their place before anything runs', async () => {
    const before = (await product.cli('get', 'operations', '--json')).json<{ operations: unknown[] }>()
      .operations.length;
    const cases: [string, RegExp][] = [
      ['intent:\n  action: [install\n', /:\d+:\d+ /],
      [
        'intent:\n  action: install\n  target_resource_type: postgres\n  desired_result: {name: main}\n  hots: [node/lab-1]\n',
        /:5:3 .*hots/,
      ],
      ['intent:\n  action: install\n  action: install\n', /:3:3 /],
      [
        'intent:\n  action: install\n  target_resource_type: postgres\n  desired_result: {name: 7}\n  hosts: [node/lab-1]\n',
        /:4:\d+ /,
      ],
      [
        'intent:\n  action: install\n  target_resource_type: postgres\n  desired_result: {name: "a\\0b"}\n  hosts: [node/lab-1]\n',
        /:4:\d+ /,
      ],
    ];
    for (const [index, [text, place]] of cases.entries()) {
      const file = join(data, `broken-${index}.yaml`);
      writeFileSync(file, text);
      for (const verb of [['plan'], ['apply', '--yes']]) {
        const got = await product.cli(...verb, '-f', file);
        assert.equal(got.code, 2, `${verb[0]} of ${text}: ${got.stderr}`);
        assert.ok(
          got.stderr.includes(file) && place.test(got.stderr),
          `${verb[0]} of ${text}: ${got.stderr}`,
        );
      }
    }
    const after = (await product.cli('get', 'operations', '--json')).json<{ operations: unknown[] }>()
      .operations.length;
    assert.equal(after, before);
  });

  await t.test(
    '[V15] a cancel at any moment ends in cancelled, is not retried, and blocks no new apply',
    async () => {
      for (let round = 0; round < 10; round += 1) {
        const applied = await product.cli('apply', '-f', trialFile(product, 'v15', 300), '--yes', '--json');
        assert.equal(applied.code, 0, `round ${round}: ${applied.stderr}`);
        const { operation } = applied.json<Applied>();
        await sleep(round * 33);
        const cancelled = await product.cli('cancel', operation, '--json');
        assert.equal(cancelled.code, 0, cancelled.stderr);
        await until(
          `${operation} is cancelled`,
          30_000,
          async () => (await statusOf(product, operation)) === 'cancelled',
        );
        const retried = await product.cli('retry', operation, 'tick', '--json');
        assert.equal(retried.code, 2);
        const [problem] = retried.json<{ problems: { code: string; text: string }[] }>().problems;
        assert.equal(problem?.code, 'illegal_state');
        assert.match(problem?.text ?? '', /cancelled.*apply/i);
      }
      const last = await product.cli(
        'apply',
        '-f',
        trialFile(product, 'v15', 1),
        '--yes',
        '--wait',
        '--json',
      );
      assert.equal(last.code, 0, last.stdout);
    },
  );

  await t.test('TERM stops everything within 10 s and leaves no process', async () => {
    const started = processesOf(product.pid, data);
    assert.ok(started.length >= 4, `found only ${started.length} processes`);
    const { code, ms } = await product.stop();
    assert.equal(code, 0, product.output());
    assert.ok(ms < 10_000, `it took ${ms} ms`);
    assert.deepEqual(alive(started), []);
  });

  await t.test('a second start finds the old state and the same database', async (inner) => {
    const again = await startProduct(inner, data);
    const { operations } = (await again.cli('get', 'operations', '--json')).json<{
      operations: { number: string }[];
    }>();
    assert.ok(operations.some((one) => one.number === 'op-1'));
    const applied = await again.cli('apply', '-f', 'examples/postgres.yaml', '--yes', '--wait', '--json');
    const { status, nodes } = applied.json<Applied>();
    assert.equal(status, 'succeeded', JSON.stringify(nodes) + applied.stderr);
    const { fact } = await databaseFact(again);
    const { host, port, database, user } = fact.attributes;
    const client = new pg.Client({ host, port, database, user, password: await password(again) });
    await client.connect();
    assert.equal((await client.query('select 1 as one')).rows[0]?.one, 1);
    await client.end();
  });
});
