import type { Check, Expressions, Job, JsonValue, Pack, Plan, PlanNode } from '@capstan/model';
import { ENGINE, planHash } from '@capstan/model';
import type { EngineDependencies, EngineOptions } from '../dependencies.js';
import { DEFAULT_OPTIONS } from '../dependencies.js';
import { newOperation } from '../new-operation.js';
import type { HostConnection } from '../ports/host-port.js';
import { systemClock } from '../system-clock.js';
import { Worker } from '../worker.js';
import { MemoryOperations } from './memory-operations.js';
import {
  CountingIds,
  MemoryBlobs,
  MemoryInventory,
  MemoryLogs,
  MemoryPacks,
  MemorySecrets,
  MemoryWakeUps,
  silentFeed,
} from './memory-stores.js';
import type { ScriptedHosts } from './scripted-hosts.js';

/** Options small enough for tests: leases of 2 s, back-offs of milliseconds. */
export const TEST_OPTIONS: EngineOptions = {
  ...DEFAULT_OPTIONS,
  leaseMs: 2_000,
  heartbeatMs: 500,
  sweepMs: 200,
  unreachableAfterMs: 300,
  cancelGraceMs: 50,
  cancelDeadlineMs: 300,
  backoffMs: 10,
  maxBackoffMs: 50,
  rideMs: 30,
  checkIntervalMs: 10,
};

/** The expressions that test packs use, without CEL: `exit_code == N`, `true`, and `json.NAME`. */
export const testExpressions: Expressions = {
  check: () => null,
  evaluate(source, values) {
    if (source === 'true') return { ok: true, value: true };
    const equal = /^exit_code == (\d+)$/.exec(source);
    if (equal) return { ok: true, value: values['exit_code'] === Number(equal[1]) };
    const field = /^json\.(\w+)$/.exec(source);
    const json = values['json'] as Record<string, JsonValue> | null;
    return field?.[1] !== undefined && json?.[field[1]] !== undefined
      ? { ok: true, value: json[field[1]] as JsonValue }
      : { ok: false, error: `no value for ${source}` };
  },
};

export interface TestNode {
  readonly key: string;
  readonly after?: readonly string[];
  readonly stage?: string;
  readonly job?: Partial<Job>;
  readonly run?: Partial<NonNullable<Job['run']>> | null;
  readonly checks?: Readonly<Record<string, Partial<Check>>>;
  readonly outputs?: PlanNode['outputs'];
  readonly inputs?: PlanNode['inputs'];
  readonly disturbs?: PlanNode['disturbs'];
  readonly params?: PlanNode['params'];
}

/** A plan made by hand: every node is a job on `node/h1` that proves `cap.<key>` by its checks. */
export function testPlan(nodes: readonly TestNode[], extra: Partial<Plan> = {}): Plan {
  const jobs: Record<string, Job> = {};
  const checks: Record<string, Check> = {};
  const planned = nodes.map((n): PlanNode => {
    const job = `test:${n.key}`;
    for (const [id, spec] of Object.entries(n.checks ?? {})) checks[`test:${id}`] = testCheck(id, spec);
    jobs[job] = testJob(n);
    const mine = Object.keys(n.checks ?? {}).map((id) => `test:${id}`);
    return {
      key: n.key,
      kind: 'job',
      stage: n.stage ?? 'main',
      job,
      target: 'node/h1',
      dependsOn: n.after ?? [],
      origin: 'template',
      reason: null,
      params: n.params ?? {},
      needs: [],
      inputs: n.inputs ?? [],
      outputs: n.outputs ?? [],
      proofs:
        mine.length > 0
          ? [{ capability: `cap.${n.key}`, subject: 'node/h1', checks: mine, attributes: {} }]
          : [],
      checks: mine.map((check) => ({ check, subject: 'node/h1', from: 'node/h1', params: {}, inputs: [] })),
      disturbs: n.disturbs ?? [],
    };
  });
  const stages = [...new Set(planned.map((n) => n.stage))].map((id) => ({ id, title: id }));
  const plan: Omit<Plan, 'hash'> = {
    revision: 1,
    intent: {
      action: 'install',
      targetResourceType: 'thing',
      desiredResult: { name: 'x' },
      constraints: {},
      hosts: ['h1'],
    },
    scenario: { id: 'test.install', version: '1.0.0', pack: 'test', digest: 'd' },
    title: 'Test',
    subject: { key: 'thing/x', type: 'thing', name: 'x' },
    environment: 'lab',
    params: {},
    sets: {},
    hostKeys: {},
    packs: [{ name: 'test', version: '1.0.0', digest: 'pack-digest' }],
    stages,
    nodes: planned,
    jobs,
    checks,
    bindings: [],
    gates: [],
    generate: [],
    provides: [],
    risk: 'low',
    estimate: null,
    plannedAt: '2026-01-01T00:00:00.000Z',
    ...extra,
  };
  return { ...plan, hash: planHash(plan) };
}

export interface MemoryEngine {
  readonly operations: MemoryOperations;
  readonly inventory: MemoryInventory;
  readonly packs: MemoryPacks;
  readonly secrets: MemorySecrets;
  readonly logs: MemoryLogs;
  readonly hosts: ScriptedHosts;
  readonly dependencies: EngineDependencies;
  readonly reported: string[];
  worker(name: string, options?: Partial<EngineOptions>, replace?: Partial<EngineDependencies>): Worker;
  /** Creates an operation of this plan and returns its id; a worker finds it. */
  start(plan: Plan): Promise<string>;
  /** Waits until the condition holds; fails after `ms`. */
  until(what: string, condition: () => boolean | Promise<boolean>, ms?: number): Promise<void>;
}

/** A whole engine on in-memory ports and one host `h1`. */
export async function memoryEngine(hosts: ScriptedHosts): Promise<MemoryEngine> {
  const clock = systemClock;
  const operations = new MemoryOperations(() => clock.elapsed());
  const inventory = new MemoryInventory(clock);
  const packs = new MemoryPacks();
  const secrets = new MemorySecrets();
  const logs = new MemoryLogs();
  const wakeUps = new MemoryWakeUps();
  const ids = new CountingIds();
  const reported: string[] = [];
  operations.onChange = (change) => inventory.take(change);
  operations.onWake = (id) => void wakeUps.wake(id);
  operations.onCommand = (id) => wakeUps.changed(id);
  await packs.save(
    { digest: 'pack-digest', name: 'test' } as Pack,
    new Map([['files/run.sh', new TextEncoder().encode('#!/bin/sh\n')]]),
  );
  await inventory.addHost(testHost('h1'), 'lab');
  const dependencies: EngineDependencies = {
    store: operations,
    inventory,
    packs,
    blobs: new MemoryBlobs(),
    secrets,
    proofs: inventory,
    logs,
    wakeUps: wakeUps.port(),
    feed: silentFeed,
    hosts,
    expressions: testExpressions,
    clock,
    ids,
    report: (what, error) => reported.push(`${what}: ${String(error)}`),
  };
  return {
    operations,
    inventory,
    packs,
    secrets,
    logs,
    hosts,
    dependencies,
    reported,
    worker: (name, options = {}, replace = {}) =>
      new Worker(
        { ...dependencies, wakeUps: wakeUps.port(), ...replace },
        { ...TEST_OPTIONS, ...options },
        name,
      ),
    async start(plan) {
      const made = newOperation(plan, ids, { actor: ENGINE, idempotency: null });
      const result = await operations.create(made);
      if (result.kind !== 'created') throw new Error(`not created: ${result.kind}`);
      return made.id;
    },
    async until(what, condition, ms = 5_000) {
      const deadline = clock.elapsed() + ms;
      while (!(await condition())) {
        if (clock.elapsed() > deadline) throw new Error(`waited ${ms} ms in vain for: ${what}`);
        await clock.sleep(5);
      }
    },
  };
}

export function testHost(name: string): HostConnection {
  return {
    id: `host_${name}`,
    name,
    key: `node/${name}`,
    environment: 'lab',
    address: '127.0.0.1',
    port: 22,
    user: 'root',
    credential: 'none',
    hostKeyFingerprint: 'SHA256:x',
    runRoot: '/var/lib/capstan/run',
    secretRoot: '/run/capstan',
    provenance: 'stand_in',
    isolated: true,
    tier: 'sandbox',
  };
}

function testJob(n: TestNode): Job {
  return {
    id: n.key,
    pack: 'test',
    title: n.key,
    place: { kind: 'host' },
    with: {},
    contract: {
      inputs: { capabilities: [], artifacts: [] },
      outputs: { capabilities: [], artifacts: [], evidence: [] },
    },
    proves: {},
    run:
      n.run === null
        ? null
        : {
            kind: 'script',
            script: 'files/run.sh',
            as: 'root',
            timeoutMs: 60_000,
            idempotent: false,
            retry: { limit: 0, backoffMs: 1, on: ['any'] },
            ...n.run,
          },
    skipIfProved: false,
    onDemand: false,
    destructive: false,
    disturbs: [],
    sandbox: 'any',
    risk: 'low',
    digest: `digest-${n.key}`,
    notExecuted: [],
    ...n.job,
  };
}

function testCheck(id: string, spec: Partial<Check>): Check {
  return {
    id,
    pack: 'test',
    kind: 'command',
    command: ['true'],
    as: 'login',
    params: {},
    inputs: [],
    expect: 'exit_code == 0',
    timeoutMs: 1_000,
    retryForMs: 0,
    stableForMs: 0,
    freshForMs: null,
    observes: {},
    digest: `check-${id}`,
    notExecuted: [],
    ...spec,
  };
}
