import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planNode, planOf } from './plan.test-support.js';
import type { GraphNode } from './plan-graph.js';
import { downstreamOf, topologicalOrder, upstreamOf, validatePlan } from './plan-graph.js';

const chain: readonly GraphNode[] = [
  { key: 'c', dependsOn: ['b'] },
  { key: 'a', dependsOn: [] },
  { key: 'b', dependsOn: ['a'] },
  { key: 'free', dependsOn: [] },
];

test('[S21] order respects every edge and otherwise keeps the listing', () => {
  const sorted = topologicalOrder(chain);
  assert.deepEqual(sorted.ok && sorted.order.map((node) => node.key), ['a', 'b', 'c', 'free']);
});

test('[L11] a cycle is named by its path in the direction of running', () => {
  const sorted = topologicalOrder([
    { key: 'start', dependsOn: [] },
    { key: 'x', dependsOn: ['start', 'z'] },
    { key: 'y', dependsOn: ['x'] },
    { key: 'z', dependsOn: ['y'] },
  ]);
  assert.equal(sorted.ok, false);
  assert.deepEqual(!sorted.ok && sorted.cycle, ['y', 'z', 'x', 'y']);
});

test('[L5] upstream and downstream are transitive and leave the node out', () => {
  assert.deepEqual([...upstreamOf(chain, 'c')].sort(), ['a', 'b']);
  assert.deepEqual([...downstreamOf(chain, 'a')].sort(), ['b', 'c']);
  assert.deepEqual([...upstreamOf(chain, 'free')], []);
});

test('[S21] any acyclic graph is ordered completely, whatever the listing', () => {
  const graph = fc
    .integer({ min: 1, max: 40 })
    .chain((size) =>
      fc.tuple(
        fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
        fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 80 }),
      ),
    );
  fc.assert(
    fc.property(graph, ([listing, pairs]) => {
      const nodes = listing.map((n) => ({
        key: `n${n}`,
        dependsOn: pairs.filter(([a, b]) => b === n && a < b).map(([a]) => `n${a}`),
      }));
      const sorted = topologicalOrder(nodes);
      assert.ok(sorted.ok);
      const at = new Map(sorted.order.map((node, index) => [node.key, index]));
      assert.equal(at.size, nodes.length);
      for (const node of nodes)
        for (const key of node.dependsOn) assert.ok((at.get(key) as number) < (at.get(node.key) as number));
    }),
  );
});

test('a whole plan has no problems', () => {
  assert.deepEqual(
    validatePlan(planOf([planNode({ key: 'a' }), planNode({ key: 'b', dependsOn: ['a'] })])),
    [],
  );
});

test('[L7] duplicate keys and unknown edges, stages and jobs are each named', () => {
  const problems = validatePlan(
    planOf([
      planNode({ key: 'a' }),
      planNode({ key: 'a' }),
      planNode({ key: 'b', dependsOn: ['gone'], stage: 'nowhere', job: 'p:none' }),
    ]),
  );
  assert.deepEqual(
    problems.map((p) => [p.code, p.text.args['what'] ?? p.text.args['key'], p.text.args['name'] ?? '']),
    [
      ['duplicate_id', 'a', ''],
      ['unknown_reference', 'node', 'gone'],
      ['unknown_reference', 'stage', 'nowhere'],
      ['unknown_reference', 'job', 'p:none'],
    ],
  );
});

test('a plan with a cycle is refused with the path', () => {
  const problems = validatePlan(
    planOf([planNode({ key: 'a', dependsOn: ['b'] }), planNode({ key: 'b', dependsOn: ['a'] })]),
  );
  assert.deepEqual(
    problems.map((p) => [p.code, p.text.args['path']]),
    [['cycle', 'b → a → b']],
  );
});

test('[L1] every need and input has a provider that is upstream or bound', () => {
  const need = (provider: string) => ({ capability: 'web.up', subject: 'web/main', provider });
  const input = (provider: string) => ({
    name: 'token',
    owner: 'web/main',
    optional: false,
    sensitive: true,
    identity: 'content' as const,
    provider,
  });
  const nodes = [
    planNode({ key: 'first' }),
    planNode({ key: 'middle', dependsOn: ['first'] }),
    planNode({
      key: 'last',
      dependsOn: ['middle'],
      needs: [need('first'), need('fact')],
      inputs: [input('stored')],
    }),
    planNode({ key: 'beside', needs: [need('first')], inputs: [input('generated'), input('middle')] }),
  ];
  assert.deepEqual(
    validatePlan(planOf(nodes)).map((p) => [
      p.text.args['node'],
      p.text.args['name'],
      p.text.args['provider'],
    ]),
    [
      ['beside', 'web.up', 'first'],
      ['beside', 'token', 'generated'],
      ['beside', 'token', 'middle'],
    ],
  );
  const generate = [
    {
      artifact: 'token',
      owner: 'web/main',
      generator: { kind: 'token' as const, length: 20 },
      sensitive: true,
    },
  ];
  assert.deepEqual(
    validatePlan({ ...planOf([planNode({ key: 'a', inputs: [input('generated')] })]), generate }),
    [],
  );
});
