import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '@capstan/model';
import { notAllowed, type Verb } from './authorize.js';
import type { LiveLog, LiveReads } from './ports/live-reads.js';
import { Watching } from './watching.js';

const ADA: Actor = { kind: 'human', id: 'ada' };
const LOG: LiveLog = {
  attemptId: 'att_1',
  operationId: 'op_1',
  logSize: 4,
  logComplete: false,
  logEtag: 'one',
  logCut: null,
  logPruned: null,
};

/** A watcher who may do these things; `log` is what is stored now. */
function watching(verbs: readonly Verb[], log: { now: LiveLog | null } = { now: LOG }) {
  const asked: string[] = [];
  const live: Pick<LiveReads, 'operationId' | 'attemptLog'> = {
    operationId: (ref) => Promise.resolve(ref === 'op-1' ? 'op_1' : null),
    attemptLog: () => Promise.resolve(log.now),
  };
  const watch = new Watching({
    live: live as LiveReads,
    logs: { read: (_id, from, limit) => Promise.resolve(new Uint8Array(limit).fill(from)) },
    authorize: (actor, verb, object) => {
      asked.push(`${verb} ${object}`);
      return Promise.resolve(verbs.includes(verb) ? null : notAllowed(actor, verb, ['human:owner']));
    },
  });
  return { watch, asked };
}

function problemOf(outcome: { ok: boolean; problems?: readonly { code: string }[] }): string | null {
  return outcome.ok ? null : (outcome.problems?.[0]?.code ?? 'none');
}

test('whoever may not see an operation is refused before anything is read', async () => {
  const { watch, asked } = watching([]);
  assert.equal(problemOf(await watch.operationId(ADA, 'op-1')), 'not_allowed');
  assert.equal(problemOf(await watch.rights(ADA, 'op_1')), 'not_allowed');
  assert.equal(problemOf(await watch.log(ADA, 'att_1')), 'not_allowed');
  assert.deepEqual(asked, ['view op-1', 'view op_1', 'view op_1'], 'a log is seen by who sees its operation');
});

test('what does not exist is not found, and rights say what keeps one from running', async () => {
  const { watch } = watching(['view']);
  assert.deepEqual(await watch.operationId(ADA, 'op-1'), { ok: true, value: 'op_1' });
  assert.equal(problemOf(await watch.operationId(ADA, 'op-2')), 'not_found');
  const rights = await watch.rights(ADA, 'op_1');
  assert.ok(rights.ok && rights.value.run?.args.permission === 'run');
  assert.equal(problemOf(await watching(['view'], { now: null }).watch.log(ADA, 'att_1')), 'not_found');
  assert.deepEqual(await watching(['view', 'run']).watch.rights(ADA, 'op_1'), {
    ok: true,
    value: { run: null },
  });
});

test('bytes of before are no longer what is stored once they were masked or removed', async () => {
  const stored = { now: LOG as LiveLog | null };
  const { watch } = watching(['view'], stored);
  assert.deepEqual(await watch.bytes(LOG, 2, 2), new Uint8Array([2, 2]));
  stored.now = { ...LOG, logSize: 9 };
  assert.equal(await watch.isSame(LOG), true, 'more of it is no change');
  stored.now = { ...LOG, logEtag: 'two' };
  assert.equal(await watch.isSame(LOG), false);
  stored.now = { ...LOG, logPruned: { at: '2026-01-01T00:00:00.000Z', sha256: 's' } };
  assert.equal(await watch.isSame(LOG), false);
  stored.now = null;
  assert.equal(await watch.isSame(LOG), false);
});
