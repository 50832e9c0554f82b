import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from '@capstan/model';
import { startFileDatabase } from '@capstan/postgres/testing';
import {
  DrivenOperation,
  Follower,
  openHub,
  PERSON,
  statuses,
  truth,
  until,
  wire,
} from './live.test-support.js';
import type { OperationFrame } from './operation-feed.js';
import { type Watch, WatchRefused } from './watch.js';

const { database: db } = await startFileDatabase();
let count = 0;

const started = (keys = ['a', 'b', 'c']) => DrivenOperation.start(db, `t${++count}`, keys);

async function watch(
  { hub }: Awaited<ReturnType<typeof openHub>>,
  ref: string,
  from: number | null = null,
): Promise<Watch<OperationFrame>> {
  const outcome = await hub.watchOperation(PERSON, ref, from);
  assert.ok(outcome.ok);
  return outcome.value;
}

async function next(frames: Watch<OperationFrame>): Promise<OperationFrame> {
  const { value, done } = await frames.next();
  assert.ok(!done && value);
  return value;
}

test('the first frame is everything, later ones are what changed, and each begins where the last one ended', async (t) => {
  const operation = await started();
  const hub = await openHub(t, db);
  const frames = await watch(hub, operation.id);
  const first = await next(frames);
  assert.deepEqual([first.reset, first.from, first.to], [true, 1, operation.sequence]);
  assert.equal(first.nodes.length, 3);
  assert.equal(first.head.view.operation.status, 'running');
  await operation.commit(operation.step('b').bodies);
  const second = await next(frames);
  assert.deepEqual([second.reset, second.from, second.to], [false, first.to + 1, operation.sequence]);
  assert.deepEqual(
    second.nodes.map(({ key, status, startedAt }) => [key, status, startedAt !== null]),
    [['b', 'running', true]],
  );
  await operation.commit(operation.step('b').bodies);
  const third = await next(frames);
  assert.deepEqual([third.from, third.events.length], [second.to + 1, 2]);
  assert.ok(third.at > first.at);
  await frames.return();
});

test('when all of an ended operation was told, the stream ends, and so does one that comes later', async (t) => {
  const operation = await started();
  const hub = await openHub(t, db);
  const frames = await watch(hub, operation.id);
  const follower = new Follower();
  const finishing = operation.finish();
  for await (const frame of frames) follower.take(wire(frame));
  await finishing;
  assert.deepEqual(follower.faults, []);
  assert.equal(follower.to, operation.sequence);
  assert.deepEqual(statuses(follower.nodes), truth(operation));
  const late = await watch(hub, operation.id, operation.sequence);
  const only = await next(late);
  assert.deepEqual([only.from, only.to, only.events.length], [operation.sequence + 1, operation.sequence, 0]);
  assert.equal((await late.next()).done, true);
});

test('after n: the rows above n and every event, 500 a frame', async (t) => {
  const operation = await started();
  await operation.chatter('a', 1_200);
  const hub = await openHub(t, db);
  const frames = await watch(hub, operation.id, 7);
  const follower = new Follower();
  follower.to = 7;
  const sizes: number[] = [];
  while (follower.to !== operation.sequence) {
    const frame = await next(frames);
    sizes.push(frame.events.length);
    follower.take(wire(frame));
  }
  assert.deepEqual(sizes, [500, 500, operation.sequence - 1_007]);
  assert.deepEqual([follower.faults, follower.resets], [[], 0]);
  assert.deepEqual(
    follower.events,
    Array.from({ length: operation.sequence - 7 }, (_, i) => i + 8),
  );
  assert.deepEqual([...follower.nodes.keys()], ['a'], 'what did not change since is not sent');
  await frames.return();
  const whole = await watch(hub, operation.id, 0);
  assert.equal((await next(whole)).nodes.length, 2, 'from 0: also the rows that never changed');
  await whole.return();
});

test('more than 5,000 behind, or ahead of all that exists: everything anew, with the last 50 events', async (t) => {
  const operation = await started();
  await operation.chatter('a', 5_100);
  const hub = await openHub(t, db);
  for (const from of [10, operation.sequence + 1, null]) {
    const frames = await watch(hub, operation.id, from);
    const frame = await next(frames);
    assert.deepEqual([frame.reset, frame.events.length, frame.nodes.length], [true, 50, 3]);
    assert.equal(frame.events.at(-1)?.event.sequence, operation.sequence);
    await frames.return();
  }
  const frames = await watch(hub, operation.id, operation.sequence - 5_000);
  assert.equal((await next(frames)).reset, false);
  await frames.return();
});

test('events that retention removed are not skipped over in silence', async (t) => {
  const operation = await started();
  await operation.chatter('a', 100);
  const hub = await openHub(t, db, {
    live: { events: async (id, from, limit) => (await db.live.events(id, from, limit)).slice(3) },
    options: { eventsOfReset: 5 },
  });
  const frames = await watch(hub, operation.id, 20);
  assert.equal((await next(frames)).reset, true);
  await frames.return();
});

test('a burst is one frame per window, and its first event waits for none', async (t) => {
  const coalesceMs = 3_000;
  const operation = await started();
  const hub = await openHub(t, db, { options: { coalesceMs } });
  const frames = await watch(hub, operation.id);
  await next(frames);
  await sleep(coalesceMs);
  const began = performance.now();
  await operation.chatter('a', 1);
  assert.equal((await next(frames)).events.length, 1);
  assert.ok(performance.now() - began < coalesceMs, 'after a quiet time the window is open');
  for (let i = 0; i < 40; i += 1) await operation.chatter('a', 1);
  let events = 0;
  let count = 1;
  for (; events < 40; count += 1) events += (await next(frames)).events.length;
  const windows = Math.ceil((performance.now() - began) / coalesceMs);
  assert.ok(count <= windows + 1, `${count} frames in ${windows} windows`);
  await frames.return();
});

test('without news an empty frame comes, with the time by the database clock', async (t) => {
  const operation = await started();
  const hub = await openHub(t, db, { options: { heartbeatMs: 150 } });
  const frames = await watch(hub, operation.id);
  const first = await next(frames);
  const beats = [await next(frames), await next(frames)];
  for (const beat of beats) {
    assert.deepEqual([beat.from, beat.to, beat.reset], [first.to + 1, first.to, false]);
    assert.deepEqual([beat.nodes, beat.events, beat.stages], [[], [], []]);
  }
  assert.ok((beats[1]?.at ?? '') > (beats[0]?.at ?? '') && (beats[0]?.at ?? '') > first.at);
  await frames.return();
});

test('what a person ordered is told at once, before any worker looks', async (t) => {
  const operation = await started();
  const hub = await openHub(t, db, { options: { heartbeatMs: 60_000 } });
  const frames = await watch(hub, operation.id);
  await next(frames);
  const pending = next(frames);
  const ordered = await db.store.command(operation.id, null, (stored) => ({
    kind: 'change',
    change: {
      operationId: stored.id,
      expectedSequence: stored.sequence,
      sequence: stored.sequence + 1,
      status: 'cancelling',
      reason: null,
      wakeInMs: null,
      events: [{ type: 'operation_cancelling', sequence: stored.sequence + 1, v: 1, actor: PERSON }],
      nodes: [],
      attempts: [],
      stages: [],
      evidence: [],
      facts: [],
      staleFacts: [],
      artifacts: [],
      proofs: [],
    },
  }));
  assert.equal(ordered.kind, 'done');
  const frame = await pending;
  assert.deepEqual(
    [frame.head.view.operation.status, frame.events.map(({ event }) => event.type)],
    ['cancelling', ['operation_cancelling']],
  );
  await frames.return();
});

test('a lost announcement costs no more than a beat', async (t) => {
  const operation = await started();
  const hub = await openHub(t, db, { options: { heartbeatMs: 200 } });
  const frames = await watch(hub, operation.id);
  const first = await next(frames);
  await operation.commit(operation.step('a').bodies, false);
  const frame = await next(frames);
  assert.deepEqual([frame.from, frame.events.length], [first.to + 1, 1]);
  await frames.return();
});

test('at most 3 statements per frame, the same number for 1 and for 100 watchers', async (t) => {
  const perWatchers: number[] = [];
  for (const watchers of [1, 100]) {
    const operation = await started();
    const hub = await openHub(t, db);
    await (await watch(hub, operation.id)).return();
    await sleep(110);
    const all = await Promise.all(Array.from({ length: watchers }, () => watch(hub, operation.id)));
    hub.reads.clear();
    const firsts = await Promise.all(all.map(next));
    assert.equal(new Set(firsts).size, 1, 'one frame, whoever is told it');
    assert.ok(hub.total() <= 3, `${hub.total()} for the first`);
    hub.reads.clear();
    await operation.commit(operation.step('a').bodies);
    const seconds = await Promise.all(all.map(next));
    assert.equal(new Set(seconds).size, 1);
    perWatchers.push(hub.total());
    await Promise.all(all.map((one) => one.return()));
  }
  assert.deepEqual(perWatchers, [1, 1]);
});

test('opening costs one statement for the name, and three for the first frame of a late client', async (t) => {
  const operation = await started();
  await operation.chatter('a', 3_000);
  const hub = await openHub(t, db);
  const frames = await watch(hub, operation.id, 10);
  await next(frames);
  assert.deepEqual([...hub.reads].sort(), [
    ['events', 1],
    ['history', 1],
    ['operationId', 1],
    ['rows', 1],
  ]);
  await frames.return();
});

test('a right that is withdrawn ends the stream and says so', async (t) => {
  const operation = await started();
  let allowed = true;
  const hub = await openHub(t, db, {
    options: { heartbeatMs: 100, rightsMs: 50 },
    authorize: (_actor, verb) =>
      Promise.resolve(
        allowed || verb !== 'view' ? null : { code: 'not_allowed', text: text('rights.missing', {}) },
      ),
  });
  const frames = await watch(hub, operation.id);
  await next(frames);
  allowed = false;
  await assert.rejects(
    async () => {
      for (;;) await next(frames);
    },
    (error) => error instanceof WatchRefused && error.problems[0]?.code === 'not_allowed',
  );
  const refused = await hub.hub.watchOperation(PERSON, operation.id, null);
  assert.ok(!refused.ok && refused.problems[0]?.code === 'not_allowed');
  const missing = await (await openHub(t, db)).hub.watchOperation(PERSON, 'op-999999', null);
  assert.ok(!missing.ok && missing.problems[0]?.code === 'not_found');
});

test('those who may do less are told so, and share nothing with those who may more', async (t) => {
  const operation = await started();
  const hub = await openHub(t, db, {
    authorize: (actor, verb) =>
      Promise.resolve(
        verb === 'run' && actor.id === 'guest'
          ? { code: 'not_allowed', text: text('rights.missing', {}) }
          : null,
      ),
  });
  const mine = await next(await watch(hub, operation.id));
  const guest = await hub.hub.watchOperation({ kind: 'human', id: 'guest' }, operation.id, null);
  assert.ok(guest.ok);
  const theirs = await next(guest.value);
  assert.notEqual(mine, theirs);
  assert.deepEqual(
    [mine, theirs].map(({ head }) => head.actions.find(({ verb }) => verb === 'cancel')?.allowed),
    [true, false],
  );
});

test('another epoch, and a database that went back in time, begin anew', async (t) => {
  const operation = await started();
  await operation.chatter('a', 20);
  let epoch = 'one';
  let back = 0;
  const hub = await openHub(t, db, {
    options: { heartbeatMs: 60 },
    live: {
      epoch: () => Promise.resolve(epoch),
      rows: async (...args) => {
        const rows = await db.live.rows(...args);
        return rows && { ...rows, sequence: rows.sequence - back };
      },
    },
  });
  assert.equal(await hub.hub.epoch(), 'one');
  const frames = await watch(hub, operation.id);
  assert.equal((await next(frames)).reset, true);
  assert.equal((await next(frames)).reset, false);
  epoch = 'two';
  const resets: OperationFrame[] = [];
  await until('a reset', async () => {
    const frame = await next(frames);
    if (frame.reset) resets.push(frame);
    return frame.reset;
  });
  assert.equal(await hub.hub.epoch(), 'two');
  back = 5;
  await until('another reset', async () => (await next(frames)).reset);
  await frames.return();
});

test('while the database is away nothing is told; afterwards nothing is missing', async (t) => {
  const operation = await started();
  let away = false;
  const hub = await openHub(t, db, {
    options: { heartbeatMs: 100 },
    live: { rows: (...args) => (away ? Promise.reject(new Error('away')) : db.live.rows(...args)) },
  });
  const frames = await watch(hub, operation.id);
  const follower = new Follower();
  follower.take(wire(await next(frames)));
  away = true;
  await operation.commit(operation.step('a').bodies);
  let told = false;
  const pending = next(frames).then((frame) => {
    told = true;
    return frame;
  });
  await sleep(250);
  assert.equal(told, false);
  away = false;
  await operation.commit(operation.step('b').bodies);
  follower.take(wire(await pending));
  while (follower.to !== operation.sequence) follower.take(wire(await next(frames)));
  assert.deepEqual(follower.faults, []);
  assert.equal(hub.reported.length, 1, 'said once, not at every try');
  await frames.return();
});

test('[L9] a commit that comes late has the higher sequence, so nothing is read past', async (t) => {
  const operation = await started();
  const other = await started();
  const hub = await openHub(t, db);
  const frames = await watch(hub, operation.id);
  const follower = new Follower();
  follower.take(wire(await next(frames)));
  // Both operations write at once: event ids and transactions interleave, sequences of one operation cannot, because
  // each is taken under the lock of its row until the commit is seen by all.
  const both = Promise.all(
    [operation, other].map(async (one) => {
      for (let i = 0; i < 60; i += 1) await one.chatter('a', 1);
    }),
  );
  while ((follower.to ?? 0) < operation.sequence || operation.sequence < 62)
    follower.take(wire(await next(frames)));
  await both;
  while (follower.to !== operation.sequence) follower.take(wire(await next(frames)));
  assert.deepEqual(follower.faults, []);
  await frames.return();
});

test('ending a stream does not wait for its next frame; the feed rests when nobody watches', async (t) => {
  const operation = await started();
  const hub = await openHub(t, db, { options: { heartbeatMs: 50 } });
  const frames = await watch(hub, operation.id);
  await next(frames);
  const pending = frames.next();
  const began = performance.now();
  await frames.return();
  assert.equal((await pending).done, true);
  assert.ok(performance.now() - began < 40);
  hub.reads.clear();
  await sleep(200);
  assert.equal(hub.reads.get('rows') ?? 0, 0);
  const again = await watch(hub, operation.id);
  await operation.commit(operation.step('c').bodies);
  await until('news', async () => (await next(again)).to === operation.sequence);
  await again.return();
});
