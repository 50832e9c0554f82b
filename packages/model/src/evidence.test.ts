import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './evidence.js';

const yes = (check: string, startedAfter = 5) =>
  ({ check, subject: 'node/h', verdict: 'confirmed', startedAfter, observed: 'ok' }) as const;
const no = (check: string, startedAfter = 5) =>
  ({ check, subject: 'node/h', verdict: 'refuted', startedAfter, observed: 'no such unit' }) as const;
const base = {
  endedSequence: 5,
  required: [
    { check: 'a', subject: 'node/h' },
    { check: 'b', subject: 'node/h' },
  ],
  missingOutputs: [],
};

test('[L1] success is exit 0 and every required check confirmed', () => {
  assert.deepEqual(judge({ ...base, end: { kind: 'exited', code: 0 }, evidence: [yes('a'), yes('b')] }), {
    status: 'succeeded',
    reason: null,
  });
  assert.equal(judge({ ...base, end: { kind: 'exited', code: 0 }, evidence: [yes('a')] }).status, 'unproven');
  assert.equal(
    judge({ ...base, end: { kind: 'exited', code: 0 }, evidence: [yes('a'), no('b')] }).reason?.args[
      'observed'
    ],
    'no such unit',
  );
});

test('[S4] evidence whose check started before the recorded end proves nothing', () => {
  assert.equal(
    judge({ ...base, end: { kind: 'exited', code: 0 }, evidence: [yes('a', 4), yes('b')] }).status,
    'unproven',
  );
});

test('[C22] exit ≠ 0: with full proof a question, without it a failure; without any declared proof a failure', () => {
  assert.deepEqual(
    judge({ ...base, end: { kind: 'exited', code: 3 }, evidence: [yes('a'), yes('b')] }).reason,
    { code: 'proved_but_failed', args: { exitCode: 3 } },
  );
  assert.equal(
    judge({ ...base, end: { kind: 'exited', code: 3 }, evidence: [no('a'), yes('b')] }).status,
    'failed',
  );
  assert.equal(
    judge({ ...base, required: [], end: { kind: 'exited', code: 3 }, evidence: [] }).status,
    'failed',
  );
});

test('[S11] a missing required output is unproven', () => {
  const judged = judge({
    ...base,
    end: { kind: 'exited', code: 0 },
    evidence: [yes('a'), yes('b')],
    missingOutputs: ['report (a link)'],
  });
  assert.deepEqual([judged.status, judged.reason?.code], ['unproven', 'missing_output']);
});

test('[L6] a lost end is recovered by evidence or stays unknown', () => {
  const end = { kind: 'dead', why: 'host_restarted' } as const;
  assert.equal(judge({ ...base, end, evidence: [yes('a'), yes('b')] }).reason?.code, 'recovered_by_evidence');
  assert.equal(judge({ ...base, end, evidence: [yes('a'), no('b')] }).status, 'unknown');
  assert.equal(judge({ ...base, required: [], end, evidence: [] }).status, 'unknown');
});

test('[L1] a check that is owed on two subjects is not proved by one of them', () => {
  const required = [
    { check: 'a', subject: 'node/h' },
    { check: 'a', subject: 'node/i' },
  ];
  const end = { kind: 'exited', code: 0 } as const;
  assert.equal(judge({ ...base, required, end, evidence: [yes('a')] }).status, 'unproven');
  assert.equal(
    judge({ ...base, required, end, evidence: [yes('a'), { ...yes('a'), subject: 'node/i' }] }).status,
    'succeeded',
  );
});
