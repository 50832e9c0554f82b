import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeView, planView } from '../graph/plan-view.test-support';
import { history } from '../live/history.test-support';
import { createOperationStore } from '../live/operation-store';
import { handPace } from '../live/pace.test-support';
import { elapsedText } from './elapsed';
import { reportText, stoppedSteps } from './failure-report';

test('[UX-S7] a report names what failed, why and how often it was tried, and nothing that was not masked', () => {
  const store = createOperationStore(handPace());
  const frame = history(1, 2, () => 0).snapshot(1);
  const [row] = frame.nodeRuns;
  assert.ok(row);
  store.receive({
    ...frame,
    nodeRuns: [{ ...row, key: 'join[w1]', status: 'failed', reason: 'ended with exit code 100', attempt: 3 }],
  });
  const plan = planView([
    nodeView({ key: 'init' }),
    nodeView({ key: 'join[w1]', job: 'join', target: 'node/w1', dependsOn: ['init'] }),
  ]);
  const steps = stoppedSteps(plan, store.state.getState());
  assert.deepEqual(steps, [
    {
      key: 'join[w1]',
      title: 'Job join',
      host: 'w1',
      status: 'failed',
      reason: 'ended with exit code 100',
      attempts: 3,
    },
  ]);
  const words = {
    status: 'Status',
    reason: 'Why',
    attempts: 'Tries',
    statusOf: (status: string) => `<${status}>`,
  };
  assert.equal(
    reportText(store.state.getState(), steps, 'http://127.0.0.1/operations/op-1', words),
    [
      'Install (op-1)',
      'http://127.0.0.1/operations/op-1',
      'Status: running',
      '',
      'Job join @ w1 [join[w1]]',
      '  Status: <failed>',
      '  Why: ended with exit code 100',
      '  Tries: 3',
      '',
    ].join('\n'),
  );
});

test('elapsed times are told in two units of the reader', () => {
  assert.equal(elapsedText(4_900, 'en'), '4 sec');
  assert.equal(elapsedText(200_000, 'en'), '3 min 20 sec');
  assert.equal(elapsedText(2 * 3_600_000 + 5 * 60_000, 'en'), '2 hr 5 min');
  assert.equal(elapsedText(26 * 3_600_000, 'en'), '1 day 2 hr');
  assert.equal(elapsedText(-5, 'en'), '0 sec');
  assert.match(elapsedText(61_000, 'ru'), /^1 мин\.? 1 с/);
});
