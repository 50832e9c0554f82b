import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { loadCatalog } from '@capstan/catalog';
import type { Pack } from '@capstan/model';

/** Path below the pack → text. An undefined text takes a file of the base away. */
export type PackFiles = Readonly<Record<string, string | undefined>>;

/** A small pack of one job that installs a thing on one host and proves it. */
export const TRY_PACK: PackFiles = {
  'pack.yaml': [
    'pack: {name: try, version: 1.0.0, publisher: test, needs: {host: ^1}}',
    'resource_types: [{id: thing, key: thing, health: [thing_there]}]',
    'capabilities:',
    '  - {id: thing.installed, of: node, version: 1}',
    '  - {id: thing.ready, of: thing, version: 1}',
    'artifacts:',
    "  - {name: thing_password, of: thing, kind: secret, sensitive: true, keep: resource, redact: ['pw=\\S+']}",
    '  - {name: thing_report, of: node, kind: text}',
    'permissions: {sudo: true}',
    '',
  ].join('\n'),
  'scenarios/install.yaml': [
    'scenario:',
    '  id: thing.install',
    '  version: 1.0.0',
    '  action: install',
    '  target_resource_type: thing',
    '  params: {type: object, required: [name], properties: {name: {type: string}}}',
    '  host_sets: {servers: {}}',
    '  provides: [{capability: thing.ready, on: target}]',
    '  generate: {thing_password: password(32)}',
    '  stages:',
    '    - {id: prepare, jobs: [install-thing]}',
    '    - {id: verify, after: [prepare], jobs: [verify-thing]}',
    '',
  ].join('\n'),
  'jobs/install.yaml': [
    'job:',
    '  id: install-thing',
    '  target: each(servers)',
    '  params: {type: object, required: [name], properties: {name: {type: string}}}',
    '  with: {name: params.name}',
    '  inputs: {capabilities: [ssh.access], artifacts: [thing_password]}',
    '  outputs: {capabilities: [thing.installed], artifacts: [thing_report], evidence: [thing_there]}',
    '  run: {script: files/install.sh, as: root, timeout: 5m, idempotent: true, retry: {limit: 2, backoff: 10s}}',
    '  sandbox: any',
    '',
  ].join('\n'),
  'jobs/verify.yaml': [
    'job:',
    '  id: verify-thing',
    '  target: first(servers)',
    '  inputs: {capabilities: [thing.installed]}',
    '  outputs: {capabilities: [thing.ready], evidence: [thing_there]}',
    '  run: {command: ["true"]}',
    '',
  ].join('\n'),
  'checks/there.yaml':
    "check: {id: thing_there, script: files/there.sh, expect: 'exit_code == 0', fresh_for: 10m}\n",
  'files/install.sh': '#!/bin/sh\nexit 0\n',
  'files/there.sh': '#!/bin/sh\nexit 0\n',
};

/** The pack that {@link TRY_PACK} needs. */
export const HOST_PACK: PackFiles = {
  'pack.yaml': [
    'pack: {name: host, version: 1.2.0}',
    'resource_types: [{id: node, key: node}]',
    'capabilities: [{id: ssh.access, of: node}]',
    '',
  ].join('\n'),
  'jobs/check-host.yaml': [
    'job:',
    '  id: check-host',
    '  target: host',
    '  on_demand: true',
    '  outputs: {capabilities: [ssh.access], evidence: [ssh_answers]}',
    '  run: {command: ["true"]}',
    '',
  ].join('\n'),
  'checks/ssh.yaml': 'check: {id: ssh_answers, command: ["true"], expect: "exit_code == 0"}\n',
};

/** Writes folders of packs below a temporary folder that goes with the test; returns that folder. */
export function writePacks(context: TestContext, packs: Readonly<Record<string, PackFiles>>): string {
  const root = mkdtempSync(join(tmpdir(), 'capstan-catalog-'));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, files] of Object.entries(packs)) {
    for (const [path, text] of Object.entries(files)) {
      if (text === undefined) continue;
      const file = join(root, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  return root;
}

/** The problems of `try` with changed files beside `host`, as `file code line:column | expected`. */
export async function told(
  context: TestContext,
  changes: PackFiles,
  host: PackFiles = HOST_PACK,
): Promise<string[]> {
  const root = writePacks(context, { host, try: { ...TRY_PACK, ...changes } });
  const { problems } = await loadCatalog([root]);
  return problems.map(
    ({ place, code, expected }) =>
      `${place?.file.slice(root.length + 1)} ${code} ${place?.line}:${place?.column} | ${expected}`,
  );
}

/** The pack `try` with changed files, which must load without a problem. */
export async function load(context: TestContext, changes: PackFiles = {}): Promise<Pack> {
  const root = writePacks(context, { host: HOST_PACK, try: { ...TRY_PACK, ...changes } });
  const { catalog, problems } = await loadCatalog([root]);
  assert.deepEqual(problems, []);
  const pack = catalog.packs.find(({ name }) => name === 'try');
  assert.ok(pack);
  return pack;
}

/** A file of the pack with one piece of its text changed. */
export function changed(path: string, from: string, to: string): PackFiles {
  const text = TRY_PACK[path] ?? '';
  assert.ok(text.includes(from), `${path} has no ${from}`);
  return { [path]: text.replace(from, to) };
}
