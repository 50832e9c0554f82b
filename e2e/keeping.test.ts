import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, type Product, startProduct } from './product.js';

interface Pruned {
  readonly dryRun: boolean;
  readonly items: readonly {
    readonly kind: string;
    readonly objects: number;
    readonly bytes: number | null;
  }[];
  readonly left: readonly unknown[];
}

async function trial(product: Product, name: string): Promise<void> {
  const file = join(product.data, `${name}.yaml`);
  writeFileSync(
    file,
    `intent: {action: run, target_resource_type: trial, desired_result: {name: ${name}, ticks: 1}, hosts: [node/lab-1]}\n`,
  );
  const applied = await product.cli('apply', '-f', file, '--yes', '--wait');
  assert.equal(applied.code, 0, applied.stdout + applied.stderr);
}

/** Folders on a host that bear an attempt's id. */
function runFolders(data: string): string[] {
  return (readdirSync(join(data, 'lab'), { recursive: true }) as string[]).filter((path) =>
    /(^|\/)att_[0-9a-f-]{36}$/.test(path),
  );
}

const folders = ({ items }: Pruned) => items.find(({ kind }) => kind === 'run_folders')?.objects ?? 0;

test('what is kept is kept in order: folders go, the key is replaced, and jobs go on', async (t) => {
  const data = dataFolder(t);
  const key = join(data, 'secret', 'key-encryption-key');
  const product = await startProduct(t, data, { CAPSTAN_RETAIN_FOLDERS: '1s' });
  await trial(product, 'before');

  await t.test(
    '[S13] prune says which run folders would go, removes them on the host, and then finds none',
    async () => {
      assert.ok(runFolders(data).length > 0);
      await sleep(1_100);
      const dry = (await product.cli('prune', '--dry-run', '--json')).json<Pruned>();
      assert.ok(dry.dryRun && folders(dry) > 0, JSON.stringify(dry));
      assert.ok(runFolders(data).length > 0, 'a dry run touches nothing');
      const real = (await product.cli('prune', '--json')).json<Pruned>();
      assert.deepEqual([real.items, real.left], [dry.items, []]);
      assert.deepEqual(runFolders(data), []);
      assert.equal(folders((await product.cli('prune', '--dry-run', '--json')).json<Pruned>()), 0);
      const log = await product.cli('logs', 'op-1');
      assert.notEqual(log.stdout, '', 'what was stored of them stays');
    },
  );

  await t.test(
    '[L10] the key is replaced under running processes, and after a restart the new one opens everything',
    async () => {
      const former = readFileSync(key, 'utf8');
      const rotated = await product.cli('secrets', 'rotate-kek', '--json');
      assert.equal(rotated.code, 0, rotated.stderr);
      assert.ok(Number(rotated.json().rewrapped) >= 3, rotated.stdout);
      assert.notEqual(readFileSync(key, 'utf8'), former);
      assert.equal(existsSync(`${key}.next`), false);
      await trial(product, 'after');
      assert.equal((await product.stop()).code, 0);
      const again = await startProduct(t, data);
      await trial(again, 'restarted');
    },
  );
});
