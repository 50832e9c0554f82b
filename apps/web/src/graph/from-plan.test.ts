import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphFromOperation } from './from-operation';
import { boxFor, graphFromPlan } from './from-plan';
import { structureHash } from './graph-model';
import { fanOut, nodeView, planView, widePlan } from './plan-view.test-support';

test('[UX-E2] every node of a plan has a box or is a member of one', () => {
  const plan = widePlan(4, 20);
  const graph = graphFromPlan(plan);
  assert.equal(graph.lanes.length, 4);
  assert.deepEqual(
    graph.nodes.flatMap((node) => node.members),
    plan.nodes.map((node) => node.key),
  );
});

test('[UX-E3] eight nodes of one job stand alone, nine are one stack between the same neighbours', () => {
  assert.equal(graphFromPlan(fanOut(8)).nodes.length, 10);
  const graph = graphFromPlan(fanOut(9));
  assert.deepEqual(
    graph.nodes.map((node) => [node.key, node.kind, node.members.length]),
    [
      ['init', 'job', 1],
      ['stack:join/join', 'stack', 9],
      ['verify', 'job', 1],
    ],
  );
  const [, stack] = graph.nodes;
  assert.deepEqual([stack?.before, stack?.after], [['init'], ['verify']]);
  assert.equal(boxFor(graph, 'join[w4]')?.key, 'stack:join/join');
  assert.equal(boxFor(graph, 'verify')?.key, 'verify');
  assert.equal(boxFor(graph, 'nobody'), null);
});

test('an opened stack shows its members and the others stay closed', () => {
  const graph = graphFromPlan(fanOut(12), { open: new Set(['stack:join/join']) });
  assert.equal(graph.nodes.length, 14);
  assert.equal(
    graph.nodes.every((node) => node.kind === 'job'),
    true,
  );
});

test('a chain within a stack is no edge of the picture', () => {
  const plan = planView(
    Array.from({ length: 10 }, (_, index) =>
      nodeView({
        key: `roll[h${index}]`,
        job: 'roll',
        dependsOn: index === 0 ? [] : [`roll[h${index - 1}]`],
      }),
    ),
  );
  const graph = graphFromPlan(plan);
  assert.equal(graph.nodes.length, 1);
  assert.deepEqual(graph.edges, []);
});

test('a complete barrier between two stages is one edge between their lanes', () => {
  const graph = graphFromPlan(widePlan(2, 20));
  assert.deepEqual(graph.edges, [{ id: 's0⇒s1', kind: 'lane', from: 's0', to: 's1' }]);
  // The arrow keys still walk all of it.
  assert.equal(graph.nodes[0]?.after.length, 20);
});

test('a few edges between stages, and an incomplete barrier, are drawn one by one', () => {
  assert.equal(graphFromPlan(widePlan(2, 2)).edges.length, 4);
  const plan = widePlan(2, 20);
  const missing = {
    ...plan,
    nodes: plan.nodes.map((node) => (node.key === 's1-c3-0' ? { ...node, dependsOn: ['s0-c3-0'] } : node)),
  };
  assert.equal(graphFromPlan(missing).edges.length, 19 * 20 + 1);
});

test('the structure hash changes with edges and keys, and with nothing else', () => {
  const plan = fanOut(3);
  const hash = structureHash(graphFromPlan(plan));
  const renamed = { ...plan, jobs: plan.jobs.map((job) => ({ ...job, title: 'Another title' })) };
  assert.equal(structureHash(graphFromPlan(renamed)), hash);
  const cut = {
    ...plan,
    nodes: plan.nodes.map((node) => (node.key === 'verify' ? { ...node, dependsOn: ['join[w0]'] } : node)),
  };
  assert.notEqual(structureHash(graphFromPlan(cut)), hash);
  assert.notEqual(structureHash(graphFromPlan(fanOut(4))), hash);
});

test('a sub-operation says what it makes', () => {
  const plan = planView([nodeView({ key: 'sub:s3', kind: 'sub_operation', job: null })]);
  const graph = graphFromOperation(
    plan,
    [{ nodeKey: 'sub:s3', number: 'op-7', title: 'Install MinIO' }],
    new Set(),
  );
  assert.equal(graph.nodes[0]?.detail, 'op-7 · Install MinIO');
  assert.equal(graph.nodes[0]?.kind, 'sub_operation');
});

test('what is waited for through another box is no edge and no step of the walk', () => {
  const plan = planView([
    nodeView({ key: 'a' }),
    nodeView({ key: 'b', dependsOn: ['a'] }),
    nodeView({ key: 'c', dependsOn: ['a', 'b'] }),
    nodeView({ key: 'd', dependsOn: ['a', 'c', 'b'] }),
  ]);
  const graph = graphFromPlan(plan);
  assert.deepEqual(
    graph.edges.map(({ id }) => id),
    ['a→b', 'b→c', 'c→d'],
  );
  assert.deepEqual(graph.nodes[0]?.after, ['b']);
  // Beyond the width of one word of bits, too.
  const long = planView(
    Array.from({ length: 70 }, (_, index) =>
      nodeView({ key: `n${index}`, dependsOn: Array.from({ length: index }, (_, before) => `n${before}`) }),
    ),
  );
  assert.equal(graphFromPlan(long).edges.length, 69);
});
