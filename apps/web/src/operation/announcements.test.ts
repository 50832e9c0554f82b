import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeRow, StageRow } from '../live/operation-frame';
import { announcementsBetween, speaker } from './announcements';

const stage = (status: StageRow['status']): StageRow => ({
  id: 's',
  sequence: 1,
  title: 'Prepare',
  status,
  done: 0,
  total: 1,
});
const row = (status: NodeRow['status']): NodeRow => ({
  key: 'a',
  sequence: 1,
  status,
  reason: null,
  attempt: 1,
  attemptId: null,
  startedAt: null,
  endedAt: null,
});
const seen = (s: StageRow['status'], r: NodeRow['status']) => ({
  stages: [stage(s)],
  rows: new Map([['a', row(r)]]),
});

test('[UX-R17] stages and stops are announced, the steps between and the first picture are not', () => {
  assert.deepEqual(announcementsBetween({ stages: [], rows: new Map() }, seen('running', 'failed')), []);
  assert.deepEqual(announcementsBetween(seen('running', 'ready'), seen('running', 'running')), []);
  assert.deepEqual(announcementsBetween(seen('running', 'running'), seen('needs_attention', 'unproven')), [
    { kind: 'stopped', key: 'a', status: 'unproven' },
    { kind: 'stage', title: 'Prepare', status: 'needs_attention' },
  ]);
  assert.deepEqual(announcementsBetween(seen('running', 'failed'), seen('running', 'failed')), []);
});

test('[UX-R17] at most one announcement in five seconds, what came meanwhile together', () => {
  let at = 0;
  const timers: (() => void)[] = [];
  const said: string[] = [];
  const speak = speaker(
    (text) => said.push(text),
    5_000,
    () => at,
    (_, run) => timers.push(run),
  );
  speak(['one']);
  at = 1_000;
  speak(['two']);
  at = 2_000;
  speak(['three', 'four', 'five']);
  assert.deepEqual(said, ['one']);
  assert.equal(timers.length, 1);
  at = 5_000;
  timers[0]?.();
  assert.deepEqual(said, ['one', 'three. four. five']);
  at = 20_000;
  speak([]);
  speak(['six']);
  assert.deepEqual(said, ['one', 'three. four. five', 'six']);
});
