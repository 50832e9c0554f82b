import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson, topologicalOrder, upstreamOf, validatePlan } from '@capstan/model';
import fc from 'fast-check';
import type { Case } from './planning.test-support.js';
import {
  appPack,
  artifact,
  edges,
  fact,
  HOST_PACK,
  host,
  hostCapability,
  job,
  outcomeOf,
  planned,
  stage,
  stored,
} from './planning.test-support.js';

interface Shape {
  readonly jobs: number;
  readonly links: readonly (readonly [number, number])[];
  readonly stages: number;
  readonly barrier: boolean;
  readonly hosts: number;
  readonly known: readonly number[];
  readonly disturbs: readonly number[];
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  jobs: fc.integer({ min: 1, max: 8 }),
  links: fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 12 }),
  stages: fc.integer({ min: 1, max: 3 }),
  barrier: fc.boolean(),
  hosts: fc.integer({ min: 1, max: 4 }),
  known: fc.array(fc.nat(7), { maxLength: 4 }),
  disturbs: fc.array(fc.nat(7), { maxLength: 2 }),
});

/** Random DAGs of jobs over hosts: job n gives `cap.n` and an artifact; links point from lower to higher numbers. */
function caseOf(shape: Shape): Case {
  const numbers = [...Array(shape.jobs).keys()];
  const jobs = numbers.map((n) =>
    job(`j${n}`, {
      needs: [
        'ssh.access',
        ...new Set(shape.links.filter(([a, b]) => b === n && a < b).map(([a]) => `cap.${a}`)),
      ],
      reads: shape.links.some(([a, b]) => a === n && b < n && b === 0) ? ['art.0'] : [],
      gives: [`cap.${n}`],
      writes: n === 0 ? ['art.0'] : [],
      disturbs: shape.disturbs.includes(n) ? ['ssh.access', 'cap.0'] : [],
      estimate: { p50Ms: n, p90Ms: 2 * n },
    }),
  );
  const stages = [...Array(shape.stages).keys()].map((s) =>
    stage(
      `s${s}`,
      numbers.filter((n) => Math.floor((n * shape.stages) / shape.jobs) === s).map((n) => `j${n}`),
      shape.barrier && s > 0 ? [`s${s - 1}`] : [],
    ),
  );
  const names = [...Array(shape.hosts).keys()].map((n) => `h${n}`);
  const capabilities = numbers.map((n) => hostCapability(`cap.${n}`));
  return {
    packs: [
      appPack({ capabilities, artifacts: [artifact('art.0', { of: 'node' })], jobs, stages }),
      HOST_PACK,
    ],
    intent: { hosts: names },
    world: {
      hosts: names.map((name) => host(name)),
      facts: names.flatMap((name) =>
        shape.known.map((n) => fact(`node/${name}`, n === 7 ? 'ssh.access' : `cap.${n}`)),
      ),
      artifacts: names.map((name) => stored(`node/${name}`, 'art.0')),
    },
  };
}

test('[L7] every plan is whole: acyclic, every need and input provided upstream or bound, every decision explained', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const plan = planned(caseOf(shape));
      assert.deepEqual(validatePlan(plan), []);
      assert.ok(topologicalOrder(plan.nodes).ok);
      const seen = new Set<string>();
      for (const node of plan.nodes) {
        for (const key of node.dependsOn) assert.ok(seen.has(key), `${key} before ${node.key}`);
        seen.add(node.key);
        for (const need of node.needs) {
          const binding = plan.bindings.find((each) => each.requirement === `${node.key}/${need.capability}`);
          assert.equal(binding?.candidates.filter((candidate) => candidate.taken).length, 1);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('[S21] every node waits, directly or not, for all nodes of the stages it is after', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const plan = planned(caseOf({ ...shape, barrier: true }));
      for (const node of plan.nodes) {
        const above = upstreamOf(plan.nodes, node.key);
        for (const other of plan.nodes)
          if (other.stage < node.stage) assert.ok(above.has(other.key), `${node.key} after ${other.key}`);
      }
    }),
    { numRuns: 60 },
  );
});

test('[S27] the same request gives the same bytes, whatever the order of the world and the catalog', () => {
  fc.assert(
    fc.property(shapes, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (shape, dice) => {
      const given = caseOf(shape);
      const shuffle = <T>(items: readonly T[]): T[] =>
        items
          .map((item) => ({ item, at: dice.next().value as number }))
          .sort((x, y) => x.at - y.at)
          .map(({ item }) => item);
      const { hosts = [], facts = [], artifacts = [] } = given.world ?? {};
      const shuffled: Case = {
        ...given,
        packs: shuffle(given.packs).map((pack) => ({
          ...pack,
          jobs: shuffle(pack.jobs),
          checks: shuffle(pack.checks),
          capabilities: shuffle(pack.capabilities),
        })),
        world: { hosts: shuffle(hosts), facts: shuffle(facts), artifacts: shuffle(artifacts) },
      };
      const bytes = canonicalJson(outcomeOf(given));
      assert.equal(canonicalJson(outcomeOf(given)), bytes);
      assert.equal(canonicalJson(outcomeOf(shuffled)), bytes);
    }),
    { numRuns: 100 },
  );
});

test('[S27] refusals are the same bytes too', () => {
  const given: Case = {
    packs: [
      appPack({
        capabilities: [hostCapability('cap.a')],
        jobs: [job('x', { needs: ['cap.a'] }), job('y', { at: 'each(none)' })],
      }),
      HOST_PACK,
    ],
    intent: { hosts: ['c', 'b'] },
  };
  assert.equal(
    canonicalJson(outcomeOf(given)),
    canonicalJson(outcomeOf({ ...given, packs: [...given.packs].reverse() })),
  );
});

/** Prints figures; asserts only that the plans are whole, since time belongs to the machine. */
test('[design 4] growth: plans of 1,000 nodes', () => {
  const wide = (hosts: number, stages: number): Case => {
    const names = Array.from({ length: hosts }, (_, n) => `h${n}`);
    const list = [...Array(stages).keys()];
    return {
      packs: [
        appPack({
          capabilities: list.map((n) => hostCapability(`cap.${n}`)),
          jobs: list.map((n) =>
            job(`j${n}`, {
              needs: ['ssh.access', 'linux.host', ...(n > 0 ? [`cap.${n - 1}`] : [])],
              gives: [`cap.${n}`],
              with: { host: 'host.name' },
            }),
          ),
          stages: list.map((n) => stage(`s${n}`, [`j${n}`], n > 0 ? [`s${n - 1}`] : [])),
        }),
        HOST_PACK,
      ],
      intent: { hosts: names },
      world: { hosts: names.map((name) => host(name)) },
    };
  };
  const chain = (length: number): Case => ({
    packs: [
      appPack({
        capabilities: [...Array(length).keys()].map((n) => hostCapability(`cap.${n}`)),
        jobs: [...Array(length).keys()].map((n) =>
          job(`j${n}`, { needs: n > 0 ? [`cap.${n - 1}`] : [], gives: [`cap.${n}`] }),
        ),
      }),
      HOST_PACK,
    ],
  });
  planned(wide(5, 5));
  for (const [name, given] of [
    ['50 hosts x 20 stages', wide(50, 20)],
    ['100 x 20', wide(100, 20)],
    ['500 hosts x 2 stages', wide(500, 2)],
    ['chain of 1,000', chain(1000)],
    ['chain of 2,000', chain(2000)],
  ] as const) {
    const start = performance.now();
    const plan = planned(given);
    const took = performance.now() - start;
    console.log(
      `# ${name}: ${plan.nodes.length} nodes, ${Object.values(edges(plan)).flat().length} edges, ${took.toFixed(0)} ms`,
    );
    assert.equal(topologicalOrder(plan.nodes).ok, true);
  }
});
