import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogFrame } from './log-frame';
import { createLogStore } from './log-store';
import { handPace, seeded } from './pace.test-support';

const all = (log: ReturnType<typeof createLogStore>) =>
  Array.from({ length: log.state.getState().lines }, (_, index) => log.line(index));

/** The frames of a text cut at random places; only ASCII, so that bytes are characters. */
function cut(text: string, random: () => number): LogFrame[] {
  const frames: LogFrame[] = [];
  for (let from = 0; from < text.length; ) {
    const to = Math.min(text.length, from + 1 + Math.floor(random() * 30));
    frames.push({
      from,
      to,
      reset: from === 0,
      text: text.slice(from, to),
      end: to === text.length,
      gap: false,
      etag: '',
    });
    from = to;
  }
  return frames;
}

test('lines are the same however the text was cut, repeated and interrupted', () => {
  const text = Array.from({ length: 120 }, (_, index) =>
    index % 7 === 0
      ? `10%\r50%\r100% of ${index}\n`
      : index % 5 === 0
        ? `windows ${index}\r\n`
        : `line ${index}\n`,
  ).join('');
  const expected = text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/\r$/, '').replace(/^.*\r/s, ''));
  for (let seed = 1; seed <= 50; seed++) {
    const random = seeded(seed);
    const pace = handPace();
    const log = createLogStore(pace);
    const frames = cut(text, random);
    for (const [index, frame] of frames.entries()) {
      assert.equal(log.receive(frame), 'taken');
      const earlier = frames[Math.floor(random() * (index + 1))];
      if (random() < 0.2 && earlier && !earlier.reset) assert.equal(log.receive(earlier), 'taken');
      const later = frames[index + 2];
      if (random() < 0.2 && later) assert.equal(log.receive(later), 'gap');
    }
    pace.advance(1_000);
    assert.deepEqual(all(log), expected, `seed ${seed}`);
    assert.equal(log.state.getState().ended, true);
    assert.equal(log.cursor(), text.length);
  }
});

test('[UX-R9] a progress bar is one line while it moves and one line at its end', () => {
  const pace = handPace();
  const log = createLogStore(pace);
  log.receive({ from: 0, to: 10, reset: true, text: 'start\n1%\r2%', end: false, gap: false, etag: '' });
  pace.advance(100);
  assert.deepEqual(all(log), ['start', '2%']);
  log.receive({ from: 10, to: 14, reset: false, text: '\r3%\r', end: false, gap: false, etag: '' });
  pace.advance(100);
  assert.deepEqual(all(log), ['start', '3%']);
  log.receive({ from: 14, to: 20, reset: false, text: '\ndone', end: true, gap: false, etag: '' });
  pace.advance(100);
  assert.deepEqual(all(log), ['start', '3%', 'done']);
});

test('a million progress steps hold no more than the last one', () => {
  const log = createLogStore(handPace());
  for (let step = 0; step < 20_000; step++)
    log.receive({
      from: step * 5,
      to: step * 5 + 5,
      reset: step === 0,
      text: `${1000 + (step % 9000)}\r`,
      end: false,
      gap: false,
      etag: '',
    });
  assert.equal(log.line(0), String(1000 + (19_999 % 9000)));
});

test('what is missing is a note between the lines, and a masked log begins anew', () => {
  const pace = handPace();
  const log = createLogStore(pace);
  log.receive({ from: 0, to: 7, reset: true, text: 'one\ntwo', end: false, gap: false, etag: '' });
  log.receive({
    from: 7,
    to: 90,
    reset: false,
    text: '83 bytes were not kept\n',
    end: false,
    gap: true,
    etag: '',
  });
  log.receive({ from: 90, to: 96, reset: false, text: 'three\n', end: false, gap: false, etag: '' });
  pace.advance(100);
  assert.deepEqual(all(log), ['one', 'two', '83 bytes were not kept', 'three']);
  assert.deepEqual(
    [1, 2, 3].map((index) => log.isNote(index)),
    [false, true, false],
  );
  log.receive({ from: 0, to: 4, reset: true, text: '****', end: false, gap: false, etag: '' });
  pace.advance(100);
  assert.deepEqual(all(log), ['****']);
  assert.equal(log.isNote(2), false);
  assert.equal(log.state.getState().generation, 2);
});

test('search finds lines without regard to case; errors are found both ways', () => {
  const pace = handPace();
  const log = createLogStore(pace);
  const text = 'Reading lists\nE: Unable to fetch, ERROR 404\n0 errors so far\nfailed to start\ndone\n';
  log.receive({ from: 0, to: text.length, reset: true, text, end: true, gap: false, etag: '' });
  pace.advance(100);
  assert.deepEqual(log.search('error'), [1, 2]);
  assert.deepEqual(log.search('e', 2), [0, 1]);
  assert.deepEqual(log.problems(), [1, 3]);
  assert.equal(log.nextError(-1, 1), 1);
  assert.equal(log.nextError(1, 1), 3);
  assert.equal(log.nextError(3, -1), 1);
  assert.equal(log.nextError(3, 1), null);
});

test('[UX-N12] 200,000 lines are taken in and searched within a fraction of a second each', () => {
  const pace = handPace();
  const log = createLogStore(pace);
  const block = Array.from(
    { length: 1_000 },
    (_, index) => `2026-01-01T00:00:00Z step ${index} of many`,
  ).join('\n');
  const start = performance.now();
  for (let index = 0; index < 200; index++) {
    const text = `${block}\n`;
    log.receive({
      from: index * text.length,
      to: (index + 1) * text.length,
      reset: index === 0,
      text,
      end: false,
      gap: false,
      etag: '',
    });
  }
  pace.advance(100);
  assert.equal(log.state.getState().lines, 200_000);
  assert.equal(log.line(199_999), '2026-01-01T00:00:00Z step 999 of many');
  assert.equal(log.search('step 999 of').length, 200);
  assert.ok(performance.now() - start < 3_000);
});
