import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphFromPlan } from './from-plan';
import { canvasKey } from './keys';
import { listMove, listRows } from './list-rows';
import { type GraphWords, nodeName, statusWords } from './node-name';
import { fanOut } from './plan-view.test-support';
import { countStack } from './shapes/stack-count';
import { layoutLanes } from './stage-lanes';
import { firstViewport, panInto } from './view-fit';
import { parseViewport, viewportText } from './viewport';

test('[UX-E22] the list has the same nodes as the graph, by stage, opened stacks a level deeper', () => {
  const closed = listRows(graphFromPlan(fanOut(9)), new Set());
  assert.deepEqual(
    closed.map((row) => `${row.level} ${row.key}`),
    ['1 stage:init', '2 init', '1 stage:join', '2 stack:join/join', '1 stage:verify', '2 verify'],
  );
  const open = listRows(graphFromPlan(fanOut(9), { open: new Set(['stack:join/join']) }), new Set(['init']));
  assert.deepEqual(
    open.slice(0, 4).map((row) => `${row.level} ${row.kind} ${row.key}`),
    ['1 stage stage:init', '1 stage stage:join', '2 stack stack:join/join', '3 node join[w0]'],
  );
  assert.equal(open.length, 1 + 2 + 9 + 2);
});

test('[UX-E22] arrows walk, open and close the rows', () => {
  const rows = listRows(graphFromPlan(fanOut(9), { open: new Set(['stack:join/join']) }), new Set(['init']));
  assert.deepEqual(listMove(rows, 0, 'ArrowDown'), { kind: 'to', index: 1 });
  assert.deepEqual(listMove(rows, 0, 'ArrowUp'), { kind: 'to', index: 0 });
  assert.deepEqual(listMove(rows, 0, 'ArrowRight'), { kind: 'unfold', row: rows[0] });
  assert.deepEqual(listMove(rows, 1, 'ArrowRight'), { kind: 'to', index: 2 });
  assert.deepEqual(listMove(rows, 1, 'ArrowLeft'), { kind: 'fold', row: rows[1] });
  assert.deepEqual(listMove(rows, 5, 'ArrowLeft'), { kind: 'to', index: 2 });
  assert.deepEqual(listMove(rows, 2, 'ArrowLeft'), { kind: 'fold', row: rows[2] });
  assert.deepEqual(listMove(rows, 0, 'End'), { kind: 'to', index: rows.length - 1 });
  assert.equal(listMove(rows, 3, 'ArrowRight'), null);
  assert.equal(listMove(rows, 0, 'x'), null);
});

test('[UX-E3] a stack counts its members, and what needs a person comes first', () => {
  const keys = ['a', 'b', 'c', 'd'];
  const count = countStack(
    keys,
    new Map([
      ['a', 'succeeded'],
      ['b', 'running'],
      ['c', 'failed'],
    ]),
  );
  assert.deepEqual(count, { status: 'failed', done: 1, running: 1, stopped: ['c'], rest: 1 });
  const of = (
    ...statuses: Parameters<typeof countStack>[1] extends ReadonlyMap<string, infer S> ? S[] : never
  ) => countStack(keys, new Map(statuses.map((status, index) => [keys[index] as string, status]))).status;
  assert.equal(of('succeeded', 'succeeded', 'succeeded', 'succeeded'), 'succeeded');
  assert.equal(of('succeeded', 'skipped', 'verifying'), 'verifying');
  assert.equal(of('succeeded'), 'running');
  assert.equal(of('ready'), 'ready');
  assert.equal(of('cancelled', 'succeeded'), 'cancelled');
  assert.equal(of('unproven', 'running'), 'unproven');
  assert.equal(countStack(keys, new Map()).status, 'pending');
});

test('[UX-R3] words of a status: a second try says so, a reason makes ready a wait', () => {
  const words = ((key: string, values?: object) =>
    values === undefined ? key : `${key} ${JSON.stringify(values)}`) as unknown as GraphWords;
  const view = { status: 'running', attempt: 1, reason: null } as const;
  assert.equal(statusWords(undefined, words), 'status.planned');
  assert.equal(statusWords(view, words), 'status.running');
  assert.equal(statusWords({ ...view, attempt: 2 }, words), 'status.retrying {"attempt":2}');
  assert.equal(statusWords({ ...view, status: 'ready', reason: 'host busy' }, words), 'status.waiting');
  assert.equal(statusWords({ ...view, status: 'unproven', attempt: 3 }, words), 'status.unproven');
  const [node] = graphFromPlan(fanOut(2)).nodes;
  assert.ok(node);
  assert.equal(nodeName({ ...node, added: true, detail: 'h1' }, 'done', words), 'Job init, h1, done, added');
});

test('[UX-R2] the viewport survives a link, and a broken link is no viewport', () => {
  assert.deepEqual(parseViewport(viewportText({ x: 12.4, y: -40, zoom: 0.753 })), {
    x: 12,
    y: -40,
    zoom: 0.75,
  });
  for (const broken of [null, '', '1,2', '1,2,3,4', 'a,b,c', '0,0,0', '0,0,99'])
    assert.equal(parseViewport(broken), null);
});

test('[UX-E23] zoom and walk keys; with a modifier they are the browser’s', () => {
  const press = (key: string, more = {}) =>
    canvasKey({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });
  assert.deepEqual(press('1'), { kind: 'zoom', to: 'fit' });
  assert.deepEqual(press('ArrowLeft'), { kind: 'walk', step: 'left' });
  assert.deepEqual(press('Escape'), { kind: 'back' });
  assert.equal(press('+', { ctrlKey: true }), null);
  assert.equal(press('a'), null);
});

test('a small plan is seen whole, a big one where it can be read, and what is selected is in view', () => {
  const frame = { width: 1000, height: 600 };
  const small = graphFromPlan(fanOut(2));
  const big = graphFromPlan(fanOut(200), { open: new Set(['stack:join/join']) });
  const whole = firstViewport(small, layoutLanes(small, 'ranks'), frame, null);
  assert.ok(whole.zoom > 0.7 && whole.x >= 0);
  const layout = layoutLanes(big, 'ranks');
  const part = firstViewport(big, layout, frame, 'verify');
  assert.equal(part.zoom, 0.7);
  const at = layout.nodes.verify;
  assert.ok(at && part.x + at.x * part.zoom > 0 && part.x + at.x * part.zoom < frame.width);
  assert.equal(panInto(part, frame, { ...(at as { x: number; y: number }), width: 224, height: 72 }), null);
});
