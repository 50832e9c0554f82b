import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ENGINE } from './actor.js';
import type { OperationEventBody, OperationState } from './operation.js';
import { EVENT_VERSION, evolve, initialState, stoppedNodes } from './operation.js';
import {
  ATTEMPT_MOVES,
  ATTEMPT_STATUSES,
  isEnd,
  NODE_MOVES,
  NODE_STATUSES,
  OPERATION_MOVES,
  OPERATION_STATUSES,
} from './states.js';

function emit(state: OperationState, body: OperationEventBody): void {
  evolve(state, { ...body, sequence: state.sequence + 1, v: EVENT_VERSION, actor: ENGINE });
}

function starting(nodeKey: string, number = 1): OperationEventBody {
  return {
    type: 'attempt_starting',
    nodeKey,
    attemptId: `${nodeKey}-${number}`,
    number,
    host: 'node/h',
    runRoot: '/r',
    fence: '1.1.1',
    bundleHash: 'b',
  };
}

function through(
  state: OperationState,
  nodeKey: string,
  status: 'succeeded' | 'failed',
  node: 'succeeded' | 'failed' | 'ready' = status,
  number = 1,
): void {
  const attemptId = `${nodeKey}-${number}`;
  emit(state, starting(nodeKey, number));
  emit(state, {
    type: 'attempt_ended',
    nodeKey,
    attemptId,
    end: { kind: 'exited', code: status === 'succeeded' ? 0 : 1 },
  });
  emit(state, { type: 'attempt_closed', nodeKey, attemptId, status, reason: null, node });
}

const DIAMOND = [
  { key: 'a', dependsOn: [] },
  { key: 'b', dependsOn: ['a'] },
  { key: 'c', dependsOn: ['a'] },
  { key: 'd', dependsOn: ['b', 'c'] },
];

test('[S24] every status of the tables is known, and end states have no way out', () => {
  for (const [moves, statuses] of [
    [OPERATION_MOVES, OPERATION_STATUSES],
    [NODE_MOVES, NODE_STATUSES],
    [ATTEMPT_MOVES, ATTEMPT_STATUSES],
  ] as const) {
    assert.deepEqual(Object.keys(moves).sort(), [...statuses].sort());
    for (const targets of Object.values(moves) as readonly (readonly string[])[])
      for (const to of targets) assert.ok((statuses as readonly string[]).includes(to), to);
  }
  assert.ok(isEnd('cancelled') && isEnd('failed') && !isEnd('needs_attention'));
});

test('[S24] an illegal move throws: a cancelled operation never succeeds', () => {
  const state = initialState('op', DIAMOND);
  emit(state, { type: 'operation_planned' });
  emit(state, { type: 'operation_cancelling' });
  emit(state, { type: 'operation_cancelled' });
  assert.throws(() => emit(state, { type: 'operation_succeeded' }), /cancelled → succeeded/);
});

test('[L9] a gap in the sequence is refused', () => {
  const state = initialState('op', DIAMOND);
  assert.throws(
    () => evolve(state, { type: 'operation_planned', sequence: 2, v: EVENT_VERSION, actor: ENGINE }),
    /event 2 after 0/,
  );
});

test('[S24] an event of a newer version is not decided on', () => {
  const state = initialState('op', DIAMOND);
  assert.throws(
    () => evolve(state, { type: 'operation_planned', sequence: 1, v: EVENT_VERSION + 1, actor: ENGINE }),
    /newer/,
  );
});

test('[S24] a success readies exactly the nodes whose dependencies have all succeeded', () => {
  const state = initialState('op', DIAMOND);
  emit(state, { type: 'operation_planned' });
  assert.deepEqual(ready(state), ['a']);
  emit(state, { type: 'operation_started' });
  through(state, 'a', 'succeeded');
  assert.deepEqual(ready(state), ['b', 'c']);
  through(state, 'b', 'succeeded');
  assert.deepEqual(ready(state), ['c']);
  through(state, 'c', 'failed');
  assert.deepEqual(ready(state), []);
  assert.deepEqual(
    stoppedNodes(state).map((n) => n.key),
    ['c'],
  );
});

test('[L5] a retry readies one node and leaves finished ones alone; attempt numbers go on', () => {
  const state = initialState('op', DIAMOND);
  emit(state, { type: 'operation_planned' });
  emit(state, { type: 'operation_started' });
  through(state, 'a', 'succeeded');
  through(state, 'b', 'failed');
  const a = { ...state.nodes.get('a') };
  emit(state, { type: 'node_retry_requested', nodeKey: 'b' });
  assert.deepEqual(state.nodes.get('a'), a);
  assert.throws(() => emit(state, starting('b', 1)), /attempt 1 of b after 1/);
  through(state, 'b', 'succeeded', 'succeeded', 2);
  assert.equal(state.nodes.get('b')?.attempt, 2);
});

test('[S24] already satisfied: attempt and node succeed with that reason and no run folder', () => {
  const state = initialState('op', [{ key: 'a', dependsOn: [] }]);
  emit(state, { type: 'operation_planned' });
  emit(state, { type: 'operation_started' });
  emit(state, { type: 'attempt_satisfied', nodeKey: 'a', attemptId: 'x', number: 1, host: 'node/h' });
  assert.deepEqual(
    [state.nodes.get('a')?.status, state.nodes.get('a')?.reason?.code],
    ['succeeded', 'already_satisfied'],
  );
  assert.deepEqual([state.attempts.get('a')?.status, state.attempts.get('a')?.runRoot], ['succeeded', '']);
  assert.equal(state.open, 0);
});

test('[S24] on any DAG, succeeding every ready node ends with nothing open, each node started once after its dependencies', () => {
  const dag = fc.integer({ min: 1, max: 25 }).chain((n) =>
    fc
      .array(fc.array(fc.nat({ max: Math.max(0, n - 1) }), { maxLength: 4 }), {
        minLength: n,
        maxLength: n,
      })
      .map((deps) =>
        deps.map((list, i) => ({
          key: `n${i}`,
          dependsOn: [...new Set(list.filter((d) => d < i))].map((d) => `n${d}`),
        })),
      ),
  );
  fc.assert(
    fc.property(dag, (nodes) => {
      const state = initialState('op', nodes);
      emit(state, { type: 'operation_planned' });
      emit(state, { type: 'operation_started' });
      const order: string[] = [];
      for (let next = ready(state)[0]; next !== undefined; next = ready(state)[0]) {
        through(state, next, 'succeeded');
        order.push(next);
      }
      assert.equal(state.open, 0);
      assert.equal(new Set(order).size, nodes.length);
      for (const n of nodes) for (const d of n.dependsOn) assert.ok(order.indexOf(d) < order.indexOf(n.key));
    }),
  );
});

function ready(state: OperationState): string[] {
  return [...state.nodes.values()].filter((n) => n.status === 'ready').map((n) => n.key);
}
