import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, type PollResult, type Taker } from './connection';
import { type StreamEnd, streamLoop } from './stream-loop';

/** A server that the test plays: every opened stream is kept. */
function served(poll: () => PollResult = () => 'unreachable') {
  const streams: { take: Taker; ended: (end: StreamEnd) => void; stopped: boolean }[] = [];
  let over = false;
  let polls = 0;
  const connection = connect({
    open: (take, ended) => {
      const stream = { take, ended, stopped: false };
      streams.push(stream);
      return {
        stop: () => {
          stream.stopped = true;
        },
      };
    },
    over: () => over,
    poll: async (take) => {
      polls += 1;
      const result = poll();
      if (result === 'taken') take('2026-01-01T00:00:00.000Z');
      return result;
    },
    now: () => Date.UTC(2026, 0, 1) - 5_000,
    pollMs: 5,
    backoff: () => 1,
  });
  return {
    connection,
    streams,
    newest: () => streams.at(-1) as (typeof streams)[number],
    finish: () => {
      over = true;
    },
    polls: () => polls,
    kind: () => connection.state.getState().kind,
  };
}

const lost = (code: number | null): StreamEnd => ({ kind: 'lost', code, reason: '' });

test('a clean close is no end unless what is watched is over', async () => {
  const server = served();
  server.newest().take('2026-01-01T00:00:00.000Z');
  assert.equal(server.kind(), 'live');
  server.newest().ended({ kind: 'complete' });
  assert.equal(server.kind(), 'reconnecting');
  await wait(10);
  assert.equal(server.streams.length, 2);
  server.newest().take('2026-01-01T00:00:00.000Z');
  assert.equal(server.kind(), 'live');
  server.finish();
  server.newest().ended({ kind: 'complete' });
  await wait(10);
  assert.equal(server.kind(), 'done');
  assert.equal(server.streams.length, 2);
});

test('a gap opens another stream at once and the chip stays live', async () => {
  const server = served();
  server.newest().take('2026-01-01T00:00:00.000Z');
  server.newest().ended({ kind: 'again' });
  assert.equal(server.kind(), 'live');
  await wait(10);
  assert.equal(server.streams.length, 2);
  server.connection.stop();
  assert.equal(server.newest().stopped, true);
});

test('elapsed times follow the clock of the server [UX-X6]', () => {
  const server = served();
  server.newest().take('2026-01-01T00:00:00.000Z');
  assert.equal(server.connection.state.getState().serverOffsetMs, 5_000);
  server.newest().take('no time');
  assert.equal(server.connection.state.getState().serverOffsetMs, 5_000);
  server.connection.stop();
});

test('[UX-R6] HTTP goes on where no socket comes, says so, and ends when the socket is back', async () => {
  const server = served(() => 'taken');
  for (let tries = 0; tries < 3; tries++) {
    server.newest().ended(lost(1006));
    await wait(8);
  }
  assert.equal(server.kind(), 'polling');
  assert.equal(server.connection.state.getState().socketRefused, true);
  assert.equal(server.connection.state.getState().receivedAt !== null, true);
  server.newest().take('2026-01-01T00:00:00.000Z');
  assert.equal(server.kind(), 'live');
  assert.equal(server.connection.state.getState().socketRefused, false);
  const polls = server.polls();
  await wait(20);
  assert.equal(server.polls(), polls);
  server.connection.stop();
});

test('no answer over HTTP either is offline', async () => {
  const server = served();
  server.newest().ended(lost(1006));
  assert.equal(server.kind(), 'reconnecting');
  await wait(8);
  server.newest().ended(lost(1006));
  await wait(8);
  assert.equal(server.kind(), 'offline');
  server.connection.stop();
});

test('a refused origin is asked for no more and stays readable over HTTP', async () => {
  const server = served(() => 'taken');
  server.newest().ended(lost(4403));
  await wait(15);
  assert.equal(server.streams.length, 1);
  assert.equal(server.kind(), 'polling');
  assert.equal(server.connection.state.getState().socketRefused, true);
  server.connection.stop();
});

test('a session that is over is said, not retried', async () => {
  const server = served();
  server.newest().take('2026-01-01T00:00:00.000Z');
  server.newest().ended(lost(4401));
  await wait(10);
  assert.equal(server.kind(), 'signed_out');
  assert.equal(server.streams.length, 1);
});

test('a page that is seen again tries at once; after a stop nothing happens', () => {
  let opened = 0;
  const timers: (() => void)[] = [];
  let end: ((end: StreamEnd) => void) | null = null;
  const loop = streamLoop({
    open: (ended) => {
      opened += 1;
      end = ended;
      return { stop: () => {} };
    },
    over: () => false,
    onState: () => {},
    timer: (_, run) => {
      timers.push(run);
      return () => {};
    },
  });
  (end as unknown as (end: StreamEnd) => void)(lost(null));
  assert.equal(opened, 1);
  loop.wake();
  assert.equal(opened, 2);
  loop.wake();
  assert.equal(opened, 2);
  loop.stop();
  (end as unknown as (end: StreamEnd) => void)(lost(null));
  loop.wake();
  assert.equal(opened, 2);
});
