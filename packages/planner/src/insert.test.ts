import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain } from './explain.js';
import type { JobSpec } from './planning.test-support.js';
import {
  appCapability,
  appPack,
  artifact,
  BEFORE,
  edges,
  fact,
  HOST_PACK,
  hostCapability,
  job,
  LATER,
  pack,
  planned,
  problemsOf,
  stage,
  stored,
} from './planning.test-support.js';

const capabilities = ['cap.a', 'cap.b', 'cap.c', 'cap.d', 'cap.e'].map((id) => hostCapability(id));
const onDemand = (id: string, spec: JobSpec) => job(id, { at: 'host', onDemand: true, ...spec });
const app = (spec: Parameters<typeof appPack>[0]) => [appPack({ capabilities, ...spec }), HOST_PACK];

test('[S3] one inserted job per host serves every consumer, in the stage of the first', () => {
  const packs = [
    appPack({
      jobs: [job('one', { needs: ['ssh.access'] }), job('two', { needs: ['linux.host', 'ssh.access'] })],
      stages: [stage('first', ['one']), stage('second', ['two'], ['first'])],
    }),
    HOST_PACK,
  ];
  const plan = planned({ packs, intent: { hosts: ['b', 'a'] } });
  assert.deepEqual(
    plan.nodes.map((n) => [n.key, n.stage]),
    [
      ['check-host[a]', 'first'],
      ['check-host[b]', 'first'],
      ['one[a]', 'first'],
      ['one[b]', 'first'],
      ['two[a]', 'second'],
      ['two[b]', 'second'],
    ],
  );
  assert.deepEqual(edges(plan)['two[a]'], ['check-host[a]', 'one[a]', 'one[b]']);
  const inserted = plan.nodes[0];
  assert.deepEqual(
    [inserted?.origin, inserted?.reason?.code, inserted?.reason?.args['needs']],
    ['planner', 'plan.inserted_for', 'linux.host, ssh.access'],
  );
});

test('[S3] unknown is not absent: a stale, expired, failed or withdrawn fact brings the re-check and says why', () => {
  const packs = [appPack({ jobs: [job('x', { needs: ['ssh.access'] })] }), HOST_PACK];
  const cases = [
    [{ state: 'stale' as const }, 'plan.fact_stale'],
    [{ state: 'failed' as const }, 'plan.fact_failed'],
    [{ state: 'withdrawn' as const }, 'plan.fact_withdrawn'],
    [{ state: 'asserted' as const }, 'plan.fact_asserted'],
    [{ freshUntil: BEFORE }, 'plan.fact_expired'],
  ] as const;
  for (const [spec, code] of cases) {
    const plan = planned({ packs, world: { facts: [fact('node/a', 'ssh.access', spec)] } });
    assert.deepEqual(
      plan.nodes.map((n) => [n.key, n.reason?.code]),
      [
        ['check-host[a]', code],
        ['x[a]', undefined],
      ],
    );
    const binding = explain(plan, 'x[a]/ssh.access');
    assert.deepEqual(
      binding?.candidates.map((c) => [c.provider, c.taken, c.reason.code]),
      [
        ['check-host[a]', true, code],
        ['node/a', false, code],
      ],
    );
  }
});

test('[S3] a fact good for ever, and one that is still fresh, need nothing', () => {
  const packs = [appPack({ jobs: [job('x', { needs: ['ssh.access'] })] }), HOST_PACK];
  for (const freshUntil of [null, LATER]) {
    assert.deepEqual(
      planned({ packs, world: { facts: [fact('node/a', 'ssh.access', { freshUntil })] } }).nodes.map(
        (n) => n.key,
      ),
      ['x[a]'],
    );
  }
});

test('[S3] never what is not on_demand, destroys, risks much, or comes from a pack that nobody needs', () => {
  const others = pack('stray', {
    needs: { app: '^1' },
    jobs: [onDemand('stray-giver', { gives: ['cap.a'] })],
  });
  const packs = [
    ...app({
      jobs: [
        job('x', { needs: ['cap.a'] }),
        onDemand('init', { gives: ['cap.a'], onDemand: false, destructive: true }),
        onDemand('plain', { gives: ['cap.a'], onDemand: false }),
        onDemand('wipe', { gives: ['cap.a'], destructive: true }),
        onDemand('risky', { gives: ['cap.a'], risk: 'high' }),
        onDemand('lost', { gives: ['cap.a@target'] }),
        onDemand('hungry', { gives: ['cap.a'], needs: ['cap.b'] }),
        onDemand('later', { gives: ['cap.a'], notExecuted: ['when'] }),
      ],
      stages: [stage('main', ['x'])],
    }),
    others,
  ];
  const [problem] = problemsOf({ packs });
  assert.equal(problem?.code, 'unmet_requirement');
  assert.equal(problem?.text.args['requirement'], 'x[a]/cap.a');
  const tried = String(problem?.text.args['tried']);
  for (const part of [
    'node/a: cap.a of node/a was never proved',
    'init: not on_demand; destructive',
    'plain: not on_demand',
    'wipe: destructive',
    'risky: its risk is high',
    'lost: it does not give it for node/a',
    'hungry: it needs cap.b of node/a itself',
    'later: job app:later: "when" is not executed',
    'stray:stray-giver: pack stray is not among the needs of app',
  ])
    assert.ok(tried.includes(part), `${part} in ${tried}`);
});

test('[S3] what an inserted job needs is found too, at most three deep', () => {
  const chain = (length: number) => [
    job('x', { needs: ['cap.a'] }),
    ...['a', 'b', 'c', 'd', 'e'].slice(0, length).map((letter, index, all) =>
      onDemand(`give-${letter}`, {
        gives: [`cap.${letter}`],
        needs: index + 1 < all.length ? [`cap.${all[index + 1]}`] : [],
      }),
    ),
  ];
  const plan = planned({ packs: app({ jobs: chain(3) }) });
  assert.deepEqual(
    plan.nodes.map((n) => n.key),
    ['give-c[a]', 'give-b[a]', 'give-a[a]', 'x[a]'],
  );
  assert.deepEqual(edges(plan)['give-a[a]'], ['give-b[a]']);
  assert.deepEqual(
    problemsOf({ packs: app({ jobs: chain(4) }) }).map((p) => p.code),
    ['unmet_requirement'],
  );
  assert.equal(planned({ packs: app({ jobs: chain(4) }), limits: { insertDepth: 4 } }).nodes.length, 5);
});

test('[S26] providers that need each other are no providers', () => {
  const packs = app({
    jobs: [
      job('x', { needs: ['cap.a'] }),
      onDemand('give-a', { gives: ['cap.a'], needs: ['cap.b'] }),
      onDemand('give-b', { gives: ['cap.b'], needs: ['cap.a'] }),
    ],
  });
  assert.deepEqual(
    problemsOf({ packs }).map((p) => p.code),
    ['unmet_requirement'],
  );
  const helped = planned({ packs, world: { facts: [fact('node/a', 'cap.b')] } });
  assert.deepEqual(
    helped.nodes.map((n) => n.key),
    ['give-a[a]', 'x[a]'],
  );
});

test('[S3] a candidate whose own needs cannot be met falls to the next', () => {
  const packs = app({
    jobs: [
      job('x', { needs: ['cap.a'] }),
      onDemand('first', { gives: ['cap.a'], needs: ['cap.b'] }),
      onDemand('second', { gives: ['cap.a'] }),
    ],
  });
  const plan = planned({ packs });
  assert.deepEqual(
    plan.nodes.map((n) => n.key),
    ['second[a]', 'x[a]'],
  );
  assert.deepEqual(
    explain(plan, 'x[a]/cap.a')?.candidates.map((c) => [c.provider, c.taken, c.reason.code]),
    [
      ['second[a]', true, 'plan.fact_missing'],
      ['first', false, 'plan.provider_unmet'],
    ],
  );
});

test('[S3] several possible jobs are a choice, and constraints.providers answers it', () => {
  const packs = app({
    jobs: [
      job('x', { needs: ['cap.a'] }),
      onDemand('one', { gives: ['cap.a'] }),
      onDemand('two', { gives: ['cap.a'] }),
    ],
  });
  assert.deepEqual(
    problemsOf({ packs }).map((p) => [p.code, p.text.args['options'], p.expected]),
    [['needs_choice', 'app:one, app:two', 'constraints.providers."cap.a": one of app:one, app:two']],
  );
  const plan = planned({ packs, intent: { constraints: { providers: { 'cap.a': 'app:two' } } } });
  assert.deepEqual(
    plan.nodes.map((n) => n.key),
    ['two[a]', 'x[a]'],
  );
  assert.equal(explain(plan, 'x[a]/cap.a')?.origin, 'person');
});

test('[S3] a need with one provider is settled first: it may settle what would have been a choice', () => {
  const packs = app({
    jobs: [
      job('x', { needs: ['cap.a', 'cap.b'] }),
      onDemand('both', { gives: ['cap.a', 'cap.b'] }),
      onDemand('only-a', { gives: ['cap.a'] }),
    ],
  });
  assert.deepEqual(
    planned({ packs }).nodes.map((n) => n.key),
    ['both[a]', 'x[a]'],
  );
});

test('[S21] a giver behind the consumer comes too late, and the refusal says so', () => {
  const packs = [
    appPack({
      capabilities,
      jobs: [job('x', { needs: ['cap.a'] }), job('y', { gives: ['cap.a'] })],
      stages: [stage('one', ['x']), stage('two', ['y'], ['one'])],
    }),
    HOST_PACK,
  ];
  const [problem] = problemsOf({ packs });
  assert.ok(String(problem?.text.args['tried']).includes('y[a]: its stage two comes after one'));
});

test('[S3] a job of the template that stands too late is inserted once more under another key', () => {
  const packs = [
    appPack({
      jobs: [job('x', { needs: ['ssh.access'] })],
      stages: [stage('one', ['x']), stage('two', ['host:check-host'], ['one'])],
    }),
    HOST_PACK,
  ];
  assert.deepEqual(
    planned({ packs }).nodes.map((n) => [n.key, n.origin]),
    [
      ['check-host~2[a]', 'planner'],
      ['x[a]', 'template'],
      ['check-host[a]', 'template'],
    ],
  );
});

test('[S26] searches and inserted jobs are counted, and the refusal names the requirement', () => {
  const packs = app({
    jobs: [
      job('x', { needs: ['cap.a', 'cap.b'] }),
      onDemand('give-a', { gives: ['cap.a'] }),
      onDemand('give-b', { gives: ['cap.b'] }),
    ],
  });
  assert.deepEqual(
    problemsOf({ packs, limits: { expansions: 1 } }).map((p) => [p.code, p.text.args['requirement']]),
    [['planning_budget_exceeded', 'x[a]/cap.b']],
  );
  assert.deepEqual(
    problemsOf({ packs, limits: { insertedJobs: 1 } }).map((p) => [p.code, p.text.args['requirement']]),
    [['planning_budget_exceeded', 'x[a]/cap.b']],
  );
  assert.equal(planned({ packs, limits: { expansions: 2, insertedJobs: 2 } }).nodes.length, 3);
});

test('[S3] thirty hosts of which nothing is known are one decision, not thirty', () => {
  const names = Array.from({ length: 30 }, (_, i) => `h${i}`);
  const packs = [appPack({ jobs: [job('x', { needs: ['ssh.access'] })] }), HOST_PACK];
  const hosts = names.map((name) => ({
    name,
    key: `node/${name}`,
    environment: 'lab',
    address: '10.0.0.1',
    provenance: 'real' as const,
    isolated: true,
    hostKeyFingerprint: null,
    tier: 'own' as const,
  }));
  assert.equal(planned({ packs, world: { hosts }, intent: { hosts: names } }).nodes.length, 60);
});

test('[S3] worked example 1: an expired join token brings its on-demand job just before the consumer', () => {
  const join = job('join-worker', {
    needs: ['ssh.access', 'cap.a'],
    reads: [{ name: 'join_token', optional: false, minRemainingMs: 600_000 }],
    gives: ['cap.b'],
    estimate: { p50Ms: 40_000, p90Ms: 120_000 },
  });
  const token = job('generate-join-token', {
    at: 'first(masters)',
    onDemand: true,
    writes: ['join_token'],
    evidence: ['ok'],
    proves: { join_token: ['ok'] },
    estimate: { p50Ms: 3000, p90Ms: 10_000 },
  });
  const init = job('init-control-plane', {
    at: 'first(masters)',
    destructive: true,
    writes: ['join_token'],
    gives: ['cluster.api'],
  });
  const packs = [
    appPack({
      capabilities: [...capabilities, appCapability('cluster.api')],
      artifacts: [
        artifact('join_token', { sensitive: true, ttlMs: 7_200_000, identity: 'existence', kind: 'token' }),
      ],
      jobs: [
        job('prepare', { gives: ['cap.a'], estimate: { p50Ms: 60_000, p90Ms: 180_000 }, at: 'each(new)' }),
        { ...join, place: { kind: 'each', set: 'new' } },
        token,
        init,
      ],
      stages: [stage('prepare', ['prepare']), stage('join', ['join-worker'], ['prepare'])],
      scenario: { hostSets: [{ name: 'new' }, { name: 'masters' }] },
    }),
    HOST_PACK,
  ];
  const given = {
    packs,
    intent: { hosts: { new: ['c'], masters: ['a'] } },
    world: { facts: ['a', 'c'].map((name) => fact(`node/${name}`, 'ssh.access')) },
  };
  const expired = stored('app/main', 'join_token', {
    version: 3,
    sensitive: true,
    expiresAt: '2026-03-01T09:00:00.000Z',
  });
  const plan = planned({ ...given, world: { ...given.world, artifacts: [expired] } });
  assert.deepEqual(
    plan.nodes.map((n) => [n.key, n.stage, n.origin]),
    [
      ['prepare[c]', 'prepare', 'template'],
      ['generate-join-token', 'join', 'planner'],
      ['join-worker[c]', 'join', 'template'],
    ],
  );
  const binding = explain(plan, 'join-worker[c]/join_token');
  assert.deepEqual(
    [binding?.kind, binding?.provider, binding?.origin, binding?.reason],
    [
      'job',
      'generate-join-token',
      'planner',
      {
        code: 'plan.artifact_expired',
        args: {
          artifact: 'join_token',
          owner: 'app/main',
          version: 3,
          expiresAt: '2026-03-01T09:00:00.000Z',
          neededAt: '2026-03-01T12:03:36.000Z',
        },
      },
    ],
  );
  assert.deepEqual(
    binding?.candidates.map((c) => [c.provider, c.taken, c.reason.code]),
    [
      ['generate-join-token', true, 'plan.artifact_expired'],
      ['artifact v3', false, 'plan.artifact_expired'],
      ['init-control-plane', false, 'plan.not_on_demand_destructive'],
    ],
  );
  assert.deepEqual(plan.nodes[1]?.reason, binding?.reason);

  const soon = { ...expired, expiresAt: '2026-03-01T12:10:00.000Z' };
  assert.equal(
    explain(planned({ ...given, world: { ...given.world, artifacts: [soon] } }), 'join-worker[c]/join_token')
      ?.reason.code,
    'plan.artifact_too_short',
  );
  const good = { ...expired, expiresAt: '2026-03-01T12:14:00.000Z' };
  assert.deepEqual(
    planned({ ...given, world: { ...given.world, artifacts: [good] } }).nodes.map((n) => n.key),
    ['prepare[c]', 'join-worker[c]'],
  );
});
