import assert from 'node:assert/strict';
import { test } from 'node:test';
import { history } from './history.test-support';
import { createOperationStore, type OperationLive } from './operation-store';
import { handPace, seeded } from './pace.test-support';

test('the first frame is shown at once, a burst behind it once per window [UX-N10]', () => {
  const pace = handPace();
  const store = createOperationStore(pace);
  const past = history(40, 5, seeded(1));
  let shown = 0;
  store.state.subscribe(() => (shown += 1));
  store.receive(past.snapshot(10));
  assert.equal(shown, 1);
  for (let to = 11; to <= 30; to++) store.receive(past.since(to - 1, to));
  assert.equal(shown, 1);
  assert.equal(store.cursor(), 30);
  assert.equal(store.state.getState().cursor, 10);
  pace.advance(100);
  assert.equal(shown, 2);
  assert.equal(store.state.getState().cursor, 30);
});

test('only who watches a changed key is called, and its row is another object', () => {
  const pace = handPace();
  const store = createOperationStore(pace);
  const past = history(30, 4, seeded(2));
  store.receive(past.snapshot(29));
  pace.advance(100);
  const rows = new Map(store.state.getState().rows);
  const called: string[] = [];
  const stops = [...rows.keys()].map((key) => store.subscribeRow(key, () => called.push(key)));
  const frame = past.since(29, 30);
  store.receive(frame);
  pace.advance(100);
  assert.deepEqual(called, [frame.nodeRuns[0]?.key]);
  for (const [key, row] of rows) assert.equal(store.row(key) === row, key !== called[0]);
  for (const stop of stops) stop();
  store.receive(past.snapshot(1));
  pace.advance(100);
  assert.equal(called.length, 1);
});

test('a frame that does not follow is a gap and changes nothing; one before a snapshot too', () => {
  const store = createOperationStore(handPace());
  const past = history(20, 3, seeded(3));
  assert.equal(store.receive(past.since(4, 6)), 'gap');
  store.receive(past.snapshot(5));
  const before = store.state.getState();
  assert.equal(store.receive(past.since(7, 9)), 'gap');
  assert.equal(store.state.getState(), before);
  assert.equal(store.cursor(), 5);
});

test('an empty frame moves the clock and nothing else', () => {
  const pace = handPace();
  const store = createOperationStore(pace);
  const past = history(20, 3, seeded(4));
  store.receive(past.snapshot(20));
  const { rows, events } = store.state.getState();
  store.receive({ ...past.since(20, 20), at: '2026-02-01T00:00:00.000Z' });
  pace.advance(100);
  const after = store.state.getState();
  assert.equal(after.asOf, '2026-02-01T00:00:00.000Z');
  assert.equal(after.rows, rows);
  assert.equal(after.events, events);
});

test('an older row never wins, an equal one does (the upsert rule)', () => {
  const pace = handPace();
  const store = createOperationStore(pace);
  const past = history(20, 1, seeded(5));
  store.receive(past.snapshot(20));
  const [row] = past.snapshot(20).nodeRuns;
  assert.ok(row);
  store.receive({ ...past.since(20, 20), nodeRuns: [{ ...row, sequence: 19, status: 'failed' }] });
  pace.advance(100);
  assert.equal(store.row(row.key)?.status, row.status);
  store.receive({ ...past.since(20, 20), nodeRuns: [{ ...row, reason: 'said again' }] });
  pace.advance(100);
  assert.equal(store.row(row.key)?.reason, 'said again');
});

test('[UX-R5] whatever is cut and repeated, the end equals a fresh snapshot', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = seeded(seed);
    const past = history(20 + Math.floor(random() * 200), 1 + Math.floor(random() * 12), random);
    const pace = handPace();
    const store = createOperationStore(pace);
    let sent = 0;
    let gaps = 0;
    const resume = (to: number) => {
      const after = store.cursor();
      // The server answers an unknown or too old place with everything.
      return after === null || random() < 0.1 ? past.snapshot(to) : past.since(after, to);
    };
    while ((store.cursor() ?? 0) < past.length) {
      const to = Math.min(past.length, sent + 1 + Math.floor(random() * 6));
      const chance = random();
      if (chance < 0.2) {
        sent = to; // lost on the way
      } else if (chance < 0.4) {
        const again = Math.max(0, sent - Math.floor(random() * 8));
        store.receive(past.since(again, Math.max(again, sent))); // repeated, out of turn
      } else {
        if (store.receive(past.since(sent, to)) === 'gap') {
          gaps += 1;
          assert.equal(store.receive(resume(to)), 'taken');
        }
        sent = to;
      }
      if (sent >= past.length && (store.cursor() ?? 0) < past.length) store.receive(resume(past.length));
      if (random() < 0.5) pace.advance(random() * 150);
    }
    pace.advance(1_000);
    const fresh = createOperationStore(handPace());
    fresh.receive(past.snapshot());
    assert.ok(gaps > 0 || past.length < 60, `seed ${seed} has gaps`);
    assert.deepEqual(comparable(store.state.getState()), comparable(fresh.state.getState()), `seed ${seed}`);
    const sequences = store.state.getState().events.map((event) => event.sequence);
    for (const [index, sequence] of sequences.entries())
      assert.equal(sequence, (sequences[0] ?? 0) + index, `seed ${seed}: events without gap or repeat`);
  }
});

/** A snapshot carries the last 50 events, a follower has them all: what both have must be the same. */
function comparable(live: OperationLive) {
  return { ...live, rows: [...live.rows], events: live.events.slice(-50) };
}
