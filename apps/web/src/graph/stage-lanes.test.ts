import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphFromPlan } from './from-plan';
import { type PlanGraph, structureHash } from './graph-model';
import { createLayoutCache } from './layout-cache';
import { fanOut, nodeView, planView, widePlan } from './plan-view.test-support';
import { type GraphLayout, layoutLanes } from './stage-lanes';
import { walk } from './walk';

/** Several chains with joins: what dagre is for. */
const woven = planView([
  nodeView({ key: 'a', stage: 'one' }),
  nodeView({ key: 'b', stage: 'one' }),
  nodeView({ key: 'c', stage: 'one', dependsOn: ['b'] }),
  nodeView({ key: 'd', stage: 'one', dependsOn: ['a'] }),
  nodeView({ key: 'e', stage: 'one', dependsOn: ['c', 'd'] }),
  nodeView({ key: 'f', stage: 'two', dependsOn: ['e'] }),
]);

for (const by of ['dagre', 'ranks'] as const) {
  test(`[UX-E1] by ${by}: lanes left to right, every box in its lane, no two boxes intersect`, () => {
    for (const plan of [woven, widePlan(5, 20), widePlan(3, 7, 4), fanOut(30), fanOut(5)])
      assertTidy(graphFromPlan(plan), layoutLanes(graphFromPlan(plan), by));
  });
}

test('[UX-E24] one job more moves no box of another stage by more than one row', () => {
  const plan = widePlan(4, 5);
  const more = planView([...plan.nodes, nodeView({ key: 'extra', stage: 's1', dependsOn: ['s0-c0-0'] })]);
  const before = layoutLanes(graphFromPlan(plan), 'dagre');
  const after = layoutLanes(graphFromPlan(more), 'dagre');
  for (const node of plan.nodes.filter(({ stage }) => stage !== 's1')) {
    const [a, b] = [before.nodes[node.key], after.nodes[node.key]];
    assert.ok(a && b && Math.abs(a.y - b.y) <= 80, node.key);
  }
});

test('[UX-N6] 100 jobs are laid out within the budget, and 1,000 by ranks', () => {
  const hundred = graphFromPlan(widePlan(5, 10, 2));
  const thousand = graphFromPlan(widePlan(10, 50, 2));
  layoutLanes(hundred, 'dagre');
  const best = (run: () => unknown) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const start = performance.now();
        run();
        return performance.now() - start;
      }),
    );
  // Generous: the figures themselves are for the benchmark; this catches an algorithm of another order.
  assert.ok(best(() => layoutLanes(hundred, 'dagre')) < 200);
  assert.ok(best(() => layoutLanes(thousand, 'ranks')) < 200);
});

test('an empty stage keeps its lane', () => {
  const plan = planView([nodeView({ key: 'a', stage: 'one' })]);
  const graph = graphFromPlan({ ...plan, stages: [...plan.stages, { id: 'none', title: 'Nothing to do' }] });
  const layout = layoutLanes(graph, 'ranks');
  assert.equal(layout.lanes.length, 2);
  assert.ok((layout.lanes[1]?.width ?? 0) > 200);
});

test('a small graph is laid out at once and only once', async () => {
  let asked = 0;
  const cache = createLayoutCache({
    remote: async () => {
      asked += 1;
      throw new Error('unused');
    },
  });
  const graph = graphFromPlan(fanOut(4));
  const layout = cache.now(graph);
  assert.equal(layout?.by, 'dagre');
  assert.equal(cache.now(graphFromPlan(fanOut(4))), layout);
  assert.equal(await cache.later(graph), layout);
  assert.equal(asked, 0);
});

test('a big graph is laid out elsewhere; late or refused there, it is laid out by ranks', async () => {
  const graph = graphFromPlan(widePlan(4, 50));
  const made = layoutLanes(graph, 'dagre');
  const remote = createLayoutCache({ remote: async () => made });
  assert.equal(remote.now(graph), null);
  assert.equal(await remote.later(graph), made);
  assert.equal(remote.now(graph), made);

  const refused = createLayoutCache({ remote: () => Promise.reject(new Error('no worker')) });
  assert.equal((await refused.later(graph)).by, 'ranks');
  const late = createLayoutCache({ remote: () => new Promise(() => {}), deadlineMs: 5 });
  assert.equal((await late.later(graph)).by, 'ranks');
  assert.equal(createLayoutCache({ remote: null }).now(graph)?.by, 'ranks');
  assert.ok(structureHash(graph).endsWith(':200'));
});

test('[UX-E20] arrows walk edges to the nearest neighbour and siblings within the stage', () => {
  const graph = graphFromPlan(woven);
  const layout = layoutLanes(graph, 'dagre');
  assert.equal(walk(graph, layout, 'a', 'right'), 'd');
  assert.equal(walk(graph, layout, 'e', 'right'), 'f');
  assert.equal(walk(graph, layout, 'f', 'left'), 'e');
  assert.equal(walk(graph, layout, 'f', 'right'), 'f');
  const down = walk(graph, layout, 'a', 'down');
  assert.notEqual(down, 'a');
  assert.equal(walk(graph, layout, down, 'up'), 'a');
  assert.equal(walk(graph, layout, 'c', 'first'), 'a');
  assert.equal(walk(graph, layout, 'c', 'last'), 'f');
  assert.equal(walk(graph, layout, 'gone', 'right'), 'a');
});

function assertTidy(graph: PlanGraph, layout: GraphLayout): void {
  const boxes = graph.nodes.map((node) => {
    const at = layout.nodes[node.key];
    assert.ok(at, `${node.key} has a place`);
    return { node, left: at.x, top: at.y, right: at.x + node.size.width, bottom: at.y + node.size.height };
  });
  let end = Number.NEGATIVE_INFINITY;
  for (const lane of layout.lanes) {
    assert.ok(lane.x > end, 'lanes stand beside each other, in order');
    end = lane.x + lane.width;
    for (const { node, left, right, top, bottom } of boxes.filter((box) => box.node.stage === lane.id)) {
      assert.ok(left >= lane.x && right <= end && top >= lane.y && bottom <= lane.y + lane.height, node.key);
    }
  }
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1))
      assert.ok(
        a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top,
        `${a.node.key} and ${b.node.key} overlap`,
      );
}
