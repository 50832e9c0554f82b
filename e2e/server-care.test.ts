import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder, processesOf, ROOT, startProduct } from './product.js';

interface Problems {
  readonly problems: readonly {
    readonly file: string | null;
    readonly line: number | null;
    readonly text: string;
  }[];
}

test('the server keeps answering, whatever it is sent and whatever dies beside it', async (t) => {
  const data = dataFolder(t);
  const packs = join(data, '..', 'packs');
  mkdirSync(packs);
  const product = await startProduct(t, data, { CAPSTAN_LAB: 'none', CAPSTAN_PACKS: packs });

  await t.test(
    '[V14] a name without a value is a typed problem with its place, through the server too',
    async () => {
      const head = 'intent:\n  action: install\n  target_resource_type: postgres\n';
      const cases = [
        `${head}  desired_result:\n  hosts: [lab-1]\n`,
        `${head}  desired_result: {name: }\n`,
        `${head}  hosts:\n`,
        'intent:\n',
        'job: {id: x, with: {port: }}\n',
      ];
      for (const [index, text] of cases.entries()) {
        const file = join(data, `null-${index}.yaml`);
        writeFileSync(file, text);
        const got = await product.cli('plan', '-f', file, '--json');
        assert.equal(got.code, 2, text);
        assert.doesNotMatch(got.stdout + got.stderr, /Cannot read properties|undefined/);
        const [problem] = got.json<Problems>().problems;
        assert.ok(problem && problem.file === file && (problem.line ?? 0) > 0, `${text}: ${got.stdout}`);
      }
      assert.equal((await product.cli('get', 'packs')).code, 0);
    },
  );

  await t.test(
    'pack reload takes a new pack, and of a broken one names the place and changes nothing',
    async () => {
      const names = async () =>
        (await product.cli('get', 'packs', '--json'))
          .json<{ packs: { name: string }[] }>()
          .packs.map((pack) => pack.name);
      assert.deepEqual(await names(), ['host', 'postgres']);
      cpSync(join(ROOT, 'e2e/packs/trial'), join(packs, 'trial'), { recursive: true });
      const taken = await product.cli('pack', 'reload', '--json');
      assert.equal(taken.code, 0, taken.stderr);
      assert.deepEqual(await names(), ['host', 'postgres', 'trial']);
      const job = join(packs, 'trial/jobs/tick.yaml');
      writeFileSync(job, readFileSync(job, 'utf8').replace('  sandbox: any', '  sandbx: any'));
      const broken = await product.cli('pack', 'reload', '--json');
      assert.equal(broken.code, 2);
      const [problem] = broken.json<Problems>().problems;
      assert.match(problem?.file ?? '', /trial\/jobs\/tick\.yaml$/);
      assert.ok((problem?.line ?? 0) > 0);
      assert.deepEqual(await names(), ['host', 'postgres', 'trial']);
    },
  );

  await t.test('an api process that is killed comes back on the same port', async () => {
    const api = processesOf(product.pid, data).find((one) => /main\.js api$/.test(one.command));
    assert.ok(api);
    process.kill(api.pid, 'SIGKILL');
    const got = await product.cli('get', 'packs');
    assert.equal(got.code, 0, got.stderr);
  });
});
