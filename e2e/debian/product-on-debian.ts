import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DebianLab, startDebianLab, whyNoDebianHosts } from '@capstan/lab';
import { requireSuite } from '../../scripts/suites.mjs';
import { dataFolder, type Product, ROOT, startProduct, type Test, until } from '../product.js';

/** What `operation show --json` says, as far as these tests ask. */
export interface Operation {
  readonly number: string;
  readonly status: string;
  readonly reason: string | null;
  readonly nodes: readonly {
    readonly key: string;
    readonly status: string;
    readonly reason: string | null;
    readonly attempt: number;
    readonly attempts: readonly { readonly number: number; readonly status: string }[];
    readonly evidence: readonly {
      readonly check: string;
      readonly verdict: string;
      readonly observed: string;
      readonly provenance: string;
    }[];
  }[];
}

/** A running product whose only hosts are real Debian ones. */
export interface OnDebian {
  readonly lab: DebianLab;
  readonly product: Product;
  /** Runs a shell line on the host as root, past SSH; it must succeed. */
  root(host: string, line: string, input?: string): Promise<string>;
  /** Applies an intent and gives the number of the operation without waiting. */
  apply(intent: string): Promise<string>;
  show(operation: string): Promise<Operation>;
  /** Waits for a status; fails at once on another end. */
  reaches(operation: string, status: string, ms?: number): Promise<Operation>;
  log(operation: string, node: string): Promise<string>;
}

/** Whether tests that boot Debian hosts may be registered here. */
export async function debianSuite(): Promise<boolean> {
  const reason = await whyNoDebianHosts();
  return requireSuite('debian', reason === undefined, reason ?? '', 'root on Debian Linux');
}

/** Boots the hosts, starts the product and registers them as the lab does. */
export async function startOnDebian(t: Test, names: readonly string[]): Promise<OnDebian> {
  const lab = await startDebianLab({
    cache: process.env.CAPSTAN_LAB_CACHE || '/var/cache/capstan-lab',
    instance: `t${randomBytes(4).readUInt32BE().toString(36).slice(-5)}`,
    names,
  });
  t.after(() => lab.remove());
  const packs = ['e2e/packs', 'e2e/debian/packs'].map((folder) => join(ROOT, folder)).join(':');
  const product = await startProduct(t, dataFolder(t), { CAPSTAN_LAB: 'none', CAPSTAN_PACKS: packs });
  for (const host of lab.hosts) {
    const added = await product.cli(
      ...['host', 'add', host.name, '--address', host.address, '--port', String(host.port)],
      ...['--user', host.user, '--key', host.keyFile, '--host-key', host.hostKeyFingerprint],
      ...['--environment', 'lab-debian'],
    );
    assert.equal(added.code, 0, added.stderr);
  }
  const show = async (operation: string): Promise<Operation> =>
    (await product.cli('operation', 'show', operation, '--json')).json<Operation>();
  let files = 0;
  return {
    lab,
    product,
    show,
    root: async (host, line, input) => {
      const end = await lab.inside(host, ['sh', '-c', line], input);
      assert.equal(end.code, 0, `${line}: ${end.stderr}${end.stdout}`);
      return end.stdout;
    },
    apply: async (intent) => {
      mkdirSync(join(product.data, 'intents'), { recursive: true });
      files += 1;
      const file = join(product.data, 'intents', `${files}.yaml`);
      writeFileSync(file, `intent: ${intent}\n`);
      const applied = await product.cli('apply', '-f', file, '--yes', '--json');
      assert.equal(applied.code, 0, applied.stderr + applied.stdout);
      return applied.json<{ operation: string }>().operation;
    },
    reaches: (operation, status, ms = 60_000) =>
      until(`${operation} is ${status}`, ms, async () => {
        const shown = await show(operation);
        if (shown.status === status) return shown;
        const over = ['succeeded', 'failed', 'cancelled'].includes(shown.status);
        if (over) assert.fail(`${operation} is ${shown.status}: ${JSON.stringify(shown.nodes)}`);
        return null;
      }),
    log: async (operation, node) => (await product.cli('logs', operation, node)).stdout,
  };
}
