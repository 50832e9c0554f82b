import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { maskAll } from '@capstan/model';
import { startFileDatabase } from '@capstan/postgres/testing';
import { DrivenOperation, openHub, PERSON, until } from './live.test-support.js';
import type { LogFrame } from './log-feed.js';
import type { Watch } from './watch.js';

const { database: db } = await startFileDatabase({
  logLimits: { head: 1_000, kept: 6_000, step: 1_000, border: 100 },
});
let count = 0;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An attempt that runs. */
async function running(): Promise<{ operation: DrivenOperation; attempt: string }> {
  const operation = await DrivenOperation.start(db, `l${++count}`, ['a']);
  await operation.commit(operation.step('a').bodies);
  return { operation, attempt: operation.state.nodes.get('a')?.attemptId ?? '' };
}

const QUICK = { logPollMs: 10, heartbeatMs: 200 };

async function watch(
  { hub }: Awaited<ReturnType<typeof openHub>>,
  attempt: string,
  from: number | null = null,
  etag: string | null = null,
): Promise<Watch<LogFrame>> {
  const outcome = await hub.watchLog(PERSON, attempt, from, etag);
  assert.ok(outcome.ok);
  return outcome.value;
}

async function next(frames: Watch<LogFrame>): Promise<LogFrame> {
  const { value, done } = await frames.next();
  assert.ok(!done && value);
  return value;
}

/** The next frame that says anything. */
async function news(frames: Watch<LogFrame>): Promise<LogFrame> {
  for (;;) {
    const frame = await next(frames);
    if (frame.reset || frame.end || frame.to > frame.from) return frame;
  }
}

test('output comes as it is stored, from one offset to the next, until its end', async (t) => {
  const { attempt } = await running();
  const hub = await openHub(t, db, { options: QUICK });
  const frames = await watch(hub, attempt);
  const first = await next(frames);
  assert.deepEqual([first.reset, first.from, first.to, first.text], [true, 0, 0, '']);
  await db.logs.append(attempt, 0, bytes('one\n'));
  const second = await news(frames);
  assert.deepEqual([second.reset, second.from, second.to, second.text], [false, 0, 4, 'one\n']);
  await db.logs.append(attempt, 4, bytes('two\n'));
  await db.logs.complete(attempt);
  let text = second.text;
  let last = second;
  for await (const frame of frames) {
    assert.equal(frame.from, last.to);
    text += frame.text;
    last = frame;
  }
  assert.deepEqual([text, last.end, last.to], ['one\ntwo\n', true, 8]);
  const late = await watch(hub, attempt, 8);
  assert.deepEqual(await next(late), {
    from: 8,
    to: 8,
    text: '',
    end: true,
    gap: false,
    reset: false,
    etag: last.etag,
  });
  assert.equal((await late.next()).done, true);
});

test('without output an empty frame comes', async (t) => {
  const { attempt } = await running();
  const hub = await openHub(t, db, { options: { logPollMs: 20, heartbeatMs: 100 } });
  const frames = await watch(hub, attempt);
  await next(frames);
  const began = performance.now();
  const beat = await next(frames);
  assert.deepEqual([beat.from, beat.to, beat.reset, beat.end], [0, 0, false, false]);
  assert.ok(performance.now() - began >= 60);
  await frames.return();
});

test('a character is never cut, wherever the pieces are; what is no UTF-8 is U+FFFD, and NUL passes', async (t) => {
  const { attempt } = await running();
  const hub = await openHub(t, db, { options: { ...QUICK, logFrameBytes: 7 } });
  const frames = await watch(hub, attempt);
  const text = 'a\u0000б€😀\r\n\u001b[31mж\u001b[0m \u{10FFFF}';
  const all = bytes(text);
  let sent = '';
  const reading = (async () => {
    for await (const frame of frames) sent += frame.text;
  })();
  for (const [offset, byte] of all.entries()) {
    await db.logs.append(attempt, offset, Uint8Array.of(byte));
    if (offset % 5 === 0) await sleep(12);
  }
  await db.logs.append(attempt, all.length, Uint8Array.of(0xff, 0x41, 0xe2, 0x82));
  await db.logs.complete(attempt);
  await reading;
  assert.equal(sent, `${text}\uFFFDA\uFFFD`);
});

test('from within a character, lone bytes are U+FFFD; resumed where the last frame ended, none are', async (t) => {
  const { attempt } = await running();
  await db.logs.append(attempt, 0, bytes('€€€'));
  await db.logs.complete(attempt);
  const hub = await openHub(t, db, { options: QUICK });
  const inside = await next(await watch(hub, attempt, 4));
  assert.deepEqual([inside.from, inside.text], [4, '\uFFFD\uFFFD€']);
  const whole = await next(await watch(hub, attempt, 3));
  assert.deepEqual([whole.from, whole.text, whole.reset], [3, '€€', false]);
});

test('[S10] masked afterwards: everything comes anew, also to who was away meanwhile', async (t) => {
  const { attempt } = await running();
  const hub = await openHub(t, db, { options: QUICK });
  await db.logs.append(attempt, 0, bytes('token=hunter2 '));
  const frames = await watch(hub, attempt);
  const before = await news(frames);
  assert.equal(before.text, 'token=hunter2 ');
  await db.logs.mask(attempt, (stored) => maskAll(stored, { values: [bytes('hunter2')], patterns: [] }));
  const masked = await news(frames);
  assert.deepEqual([masked.reset, masked.from, masked.to], [true, 0, 14]);
  assert.doesNotMatch(masked.text, /hunter2/);
  assert.notEqual(masked.etag, before.etag);
  await frames.return();
  await db.logs.append(attempt, 14, bytes('done\n'));
  const returned = await watch(hub, attempt, before.to, before.etag);
  const back = await news(returned);
  assert.deepEqual(
    [back.reset, back.from],
    [true, 0],
    'from the first byte, wherever this stream would have begun',
  );
  // The feed may have read before the last append: then the rest comes as the next frame.
  const rest = back.to === masked.to + 5 ? '' : (await news(returned)).text;
  assert.equal(back.text + rest, `${masked.text}done\n`);
  const same = await news(await watch(hub, attempt, masked.to, masked.etag));
  assert.deepEqual([same.reset, same.text], [false, 'done\n']);
});

test('[C18] the middle that was not kept is said in its place', async (t) => {
  const { attempt } = await running();
  for (let at = 0; at < 20_000; at += 500)
    await db.logs.append(attempt, at, bytes('x'.repeat(499).concat('\n')));
  await db.logs.complete(attempt);
  const hub = await openHub(t, db, { options: { ...QUICK, logFrameBytes: 1_024 } });
  const cut = (await db.live.attemptLog(attempt))?.logCut;
  assert.ok(cut);
  const seen: LogFrame[] = [];
  for await (const frame of await watch(hub, attempt)) seen.push(frame);
  for (const [i, frame] of seen.entries()) assert.equal(frame.from, seen[i - 1]?.to ?? 0);
  const gaps = seen.filter(({ gap }) => gap);
  assert.deepEqual(
    gaps.map(({ from, to, text }) => [from, to, text.trim()]),
    [[cut.from, cut.to, `[${cut.to - cut.from} bytes were not kept]`]],
  );
  assert.equal(
    seen.filter(({ gap }) => !gap).reduce((sum, { text }) => sum + text.length, 0),
    20_000 - (cut.to - cut.from),
  );
  const inside = await next(await watch(hub, attempt, cut.from + 10));
  assert.deepEqual([inside.gap, inside.to], [true, cut.to]);
});

test('output that retention removed is said to be removed, and nothing follows', async (t) => {
  const { attempt } = await running();
  await db.logs.append(attempt, 0, bytes('gone'));
  await db.logs.complete(attempt);
  const hub = await openHub(t, db, {
    options: QUICK,
    live: {
      attemptLog: async (id) => {
        const log = await db.live.attemptLog(id);
        return log && { ...log, logPruned: { at: '2026-01-01T00:00:00.000Z', sha256: 's' } };
      },
    },
  });
  const frames = await watch(hub, attempt);
  const only = await next(frames);
  assert.deepEqual(
    [only.gap, only.to, only.end, only.text],
    [true, 4, true, '[4 bytes were removed on 2026-01-01T00:00:00.000Z]\n'],
  );
  assert.equal((await frames.next()).done, true);
});

test('offsets beyond 2^31 and 2^32 are numbers like others', async (t) => {
  const { attempt } = await running();
  const size = 3 * 1024 ** 3;
  let asked = 0;
  const hub = await openHub(t, db, {
    options: QUICK,
    live: {
      attemptLog: async (id) => {
        const log = await db.live.attemptLog(id);
        return log && { ...log, logSize: size + 5, logCut: { from: 10, to: size }, logComplete: true };
      },
    },
  });
  const read = db.logs.read;
  t.mock.method(db.logs, 'read', (id: string, from: number, limit: number) => {
    asked = from;
    return from >= size ? Promise.resolve(bytes('tail\n').subarray(0, limit)) : read(id, from, limit);
  });
  const frame = await next(await watch(hub, attempt, size));
  assert.deepEqual(
    [frame.from, frame.to, frame.text, frame.end, asked],
    [size, size + 5, 'tail\n', true, size],
  );
});

test('100 watchers of one log: one look and one read for all', async (t) => {
  const { attempt } = await running();
  const hub = await openHub(t, db, { options: { logPollMs: 100, heartbeatMs: 2_000 } });
  let read = 0;
  const original = db.logs.read;
  t.mock.method(db.logs, 'read', (...args: Parameters<typeof original>) => {
    read += 1;
    return original(...args);
  });
  const all = await Promise.all(Array.from({ length: 100 }, () => watch(hub, attempt)));
  await Promise.all(all.map(next));
  hub.reads.clear();
  read = 0;
  await db.logs.append(attempt, 0, bytes('hello\n'));
  const seconds = await Promise.all(all.map(news));
  assert.ok(seconds.every(({ text }) => text === 'hello\n'));
  assert.equal(new Set(seconds).size, 1, 'one frame, so one execution and one text');
  assert.equal(read, 1);
  assert.ok((hub.reads.get('attemptLog') ?? 0) <= 2, String(hub.reads.get('attemptLog')));
  await Promise.all(all.map((one) => one.return()));
  hub.reads.clear();
  await sleep(250);
  assert.equal(hub.total(), 0, 'nobody watches: nothing is read');
});

test('an attempt that nobody knows has no log', async (t) => {
  const hub = await openHub(t, db);
  const outcome = await hub.hub.watchLog(PERSON, 'att_none', null, null);
  assert.ok(!outcome.ok && outcome.problems[0]?.code === 'not_found');
});

test('an end that brings no byte is told too', async (t) => {
  const { attempt, operation } = await running();
  await db.logs.append(attempt, 0, bytes('x'));
  const hub = await openHub(t, db, { options: QUICK });
  const frames = await watch(hub, attempt);
  assert.equal((await news(frames)).end, false);
  await operation.finish();
  let end: LogFrame | null = null;
  await until('its end', async () => {
    end = await next(frames);
    return end.end;
  });
  assert.equal((await frames.next()).done, true);
});
