import 'reflect-metadata';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ControlPlane, Maintenance, systemClock, Worker } from '@capstan/engine';
import {
  newOperation,
  ScriptedHosts,
  TEST_OPTIONS,
  type TestNode,
  testExpressions,
  testHost,
  testPlan,
} from '@capstan/engine/testing';
import { ENGINE, type Intent, ok, type Pack, type Plan } from '@capstan/model';
import type { Database } from '@capstan/postgres';
import { startFileDatabase, statementsOf } from '@capstan/postgres/testing';
import { type DocumentNode, graphql, Kind, parse, validate } from 'graphql';
import { createContext } from './context.js';
import { judgeRequest } from './limits.js';
import { createSchema } from './schema.js';

const ME = { kind: 'token', id: 'test' } as const;
const MOST_STATEMENTS = 12;

const GUIDE = readFileSync(new URL('../../../../docs/guide/api.md', import.meta.url), 'utf8');
const DOCUMENTS = [...GUIDE.matchAll(/```graphql\n(.*?)```/gs)].map(([, source = '']) => ({
  source,
  document: parse(source),
}));

const [server, schema] = await Promise.all([startFileDatabase(), createSchema()]);

test('every document of the guide is valid, and cheap enough to be asked', () => {
  assert.ok(DOCUMENTS.length > 15);
  for (const { source, document } of DOCUMENTS) {
    assert.deepEqual(validate(schema, document), [], source);
    assert.equal(judgeRequest(source, { first: 50 }), null, source);
  }
});

test('[api 1.4] each documented query costs at most 12 statements, as many for 1,000 nodes as for 10', async (t) => {
  const small = await costs(await server.create(), { nodes: 10, others: 2 });
  const large = await costs(await server.create(), { nodes: 1_000, others: 12 });
  const dear = [...small].filter(([, statements]) => statements.length > MOST_STATEMENTS);
  assert.deepEqual(dear, []);
  t.diagnostic([...small].map(([name, statements]) => `${name} ${statements.length}`).join(', '));
  for (const [name, statements] of small) assert.deepEqual(large.get(name), statements, name);
});

/** Statements of every documented query by its name, in an installation with an operation of so many nodes. */
async function costs(
  { database }: { readonly database: Database },
  size: { readonly nodes: number; readonly others: number },
): Promise<Map<string, readonly string[]>> {
  const found = await fill(database, size);
  const hosts = new ScriptedHosts(
    () => () => 0,
    () => () => ({ code: 0 }),
  );
  const control = new ControlPlane({
    ...database,
    hosts,
    clock: systemClock,
    documents: { parseIntent: () => ok({} as Intent) },
    planning: { plan: () => Promise.resolve({ kind: 'plan', plan: found.plan }) },
  });
  const parts = {
    control,
    maintenance: new Maintenance({ ...database, hosts }, AGES),
    reloadPacks: () => Promise.resolve(ok([])),
    info: { version: '0', buildId: '0', lab: 'none' as const, packFolders: [] },
  };
  const out = new Map<string, readonly string[]>();
  for (const { source, document } of DOCUMENTS) {
    const name = queryName(document);
    if (name === null) continue;
    const variableValues = found.variables[name];
    assert.ok(variableValues, `no variables for ${name}`);
    const statements = await statementsOf(async () => {
      const contextValue = createContext(parts, ME);
      const answer = await graphql({ schema, source, variableValues, contextValue });
      assert.deepEqual(answer.errors, undefined, name);
      const [field] = Object.values(answer.data ?? {});
      assert.notEqual(field, null, `${name} found nothing`);
    });
    // How many values a list has is no other statement.
    out.set(name, statements.map((text) => text.replace(/\$\d+(, \$\d+)*/g, '$n')).sort());
  }
  return out;
}

function queryName(document: DocumentNode): string | null {
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || definition.operation !== 'query') return null;
  return definition.name?.value ?? null;
}

/** A large operation that stopped at its last step, others that succeeded before it, and everything that they left. */
async function fill(database: Database, { nodes, others }: { nodes: number; others: number }) {
  await database.inventory.addHost(testHost('h1'), 'lab');
  const files = new Map([['files/run.sh', new TextEncoder().encode('#!/bin/sh\n')]]);
  await database.packs.save(PACK, files);
  await database.packs.activate([PACK.digest]);
  const worker = new Worker(
    {
      ...database,
      hosts: new ScriptedHosts(
        (key) => (run) => {
          run.print(`output of ${key}\n`);
          if (key === 'n0') run.output('report', 'all is well');
          return key === 'last' ? 1 : 0;
        },
        () => () => ({ code: 0 }),
      ),
      expressions: testExpressions,
      clock: systemClock,
      report: (what, error) => assert.fail(`${what}: ${String(error)}`),
    },
    { ...TEST_OPTIONS, leaseMs: 20_000 },
    'w1',
  );
  await worker.start();
  for (let i = 0; i < others; i += 1) await run(database, planOf(`other-${i}`, 3, false), 'succeeded');
  const plan = planOf('big', nodes - 1, true);
  const id = await run(database, plan, 'needs_attention');
  await worker.stop();
  const stored = await database.store.load(id);
  const [attempt] = stored?.attempts ?? [];
  const [evidence] = await database.readModel.evidence(id, ['n0']);
  const artifacts = await database.readModel.artifactPages('operation', [id], { after: null, limit: 1 });
  const artifact = artifacts.get(id)?.[0];
  assert.ok(stored && attempt && evidence && artifact);
  const ref = { ref: stored.number };
  const variables: Readonly<Record<string, Record<string, unknown>>> = {
    Again: { ids: [id, stored.planId, attempt.id, evidence.id, artifact.id, 'host_h1', 'op_none'] },
    Operations: { first: 50 },
    Operation: ref,
    Steps: { ...ref, keys: stored.nodes.slice(0, 100).map((node) => node.key) },
    Results: ref,
    Plan: { id: stored.planId },
    Follow: { ...ref, after: 0 },
    Output: { operation: stored.number, attempt: attempt.id, from: 0 },
    Resources: { first: 50 },
    Resource: { key: 'thing/big' },
    Hosts: { first: 50 },
    Host: { name: 'h1' },
    Scenarios: { first: 50 },
    Scenario: { ref: 'test.install' },
    Packs: { first: 50 },
    Preview: { intent: { yaml: '' } },
    Check: { document: { yaml: 'intent: {}' } },
    Installation: {},
  };
  return { plan, variables };
}

function planOf(name: string, steps: number, stops: boolean): Plan {
  const nodes: TestNode[] = Array.from({ length: steps }, (_, i) => ({
    key: `n${i}`,
    stage: `s${i % 4}`,
    checks: { [`c${i % 10}`]: { title: 'Is it there?' } },
    ...(i === 0 ? { outputs: [REPORT] } : {}),
  }));
  if (stops) nodes.push({ key: 'last', stage: 's3' });
  return testPlan(nodes, { subject: { key: `thing/${name}`, type: 'thing', name } });
}

async function run(database: Database, plan: Plan, status: string): Promise<string> {
  const made = newOperation(plan, database.ids, { actor: ENGINE, idempotency: null });
  await database.store.create(made);
  for (;;) {
    const [now] = await database.readModel.operationsByRef([made.id]);
    if (now?.status === status) return made.id;
    await systemClock.sleep(50);
  }
}

const REPORT = {
  name: 'report',
  owner: 'thing/big',
  sensitive: false,
  kind: 'text',
  keep: 'resource',
  ttlMs: null,
  redact: [],
} as const;

const PACK = {
  digest: 'pack-digest',
  name: 'test',
  version: '1.0.0',
  title: 'Test',
  publisher: 'test',
  scenarios: [
    {
      id: 'test.install',
      version: '1.0.0',
      pack: 'test',
      title: 'Test',
      action: 'install',
      targetResourceType: 'thing',
      params: {},
      risk: 'low',
      provides: [],
      hostSets: [],
    },
  ],
  resourceTypes: [],
} as unknown as Pack;

const AGES = {
  logsMs: 1,
  failedLogsMs: 1,
  logBytes: 1,
  eventsMs: 1,
  succeededFoldersMs: 1,
  otherFoldersMs: 1,
  idempotencyMs: 1,
};
