import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@capstan/postgres';
import { startTestDatabase } from '@capstan/postgres/testing';
import { WebSocket } from 'ws';
import {
  DrivenOperation,
  FRAMES,
  serveLive,
  TOKEN,
  type WireFrame,
} from '../apps/server/src/live/live.test-support.js';
import { round } from './measure.js';

/**
 * A burst of 200 events a second on an operation of 1,000 nodes, followed by one client: bytes that reach its socket in a
 * minute, and the time from a commit to the frame that tells it. The API is a process of its own, as in the product.
 */
const NODES = 1_000;
const EVENTS_A_SECOND = 200;
const SECONDS = 10;

if (process.env.CAPSTAN_BENCH_DATABASE) await serve(process.env.CAPSTAN_BENCH_DATABASE);
else await measure();

async function serve(place: string): Promise<void> {
  const [url = '', dataDir = ''] = JSON.parse(place) as string[];
  const database = await openDatabase({ url, dataDir, owner: 'bench api' });
  const ends: (() => Promise<void> | void)[] = [];
  const served = await serveLive({ after: (end) => void ends.push(end) }, database);
  process.send?.(served.url);
  process.once('disconnect', async () => {
    for (const end of ends) await end();
    await database.close();
    process.exit(0);
  });
}

async function measure(): Promise<void> {
  const server = await startTestDatabase();
  const api = fork(fileURLToPath(import.meta.url), {
    env: { ...process.env, CAPSTAN_BENCH_DATABASE: JSON.stringify([server.url, server.dataDir]) },
  });
  try {
    const [url] = (await once(api, 'message')) as [string];
    const keys = Array.from(
      { length: NODES },
      (_, i) => `install-packages[host-${String(i).padStart(4, '0')}]`,
    );
    const operation = await DrivenOperation.start(server.database, 'burst', keys);
    const watcher = await watch(url, operation.id);
    const burst = await run(operation, keys, watcher);
    const late = watcher.latencies.sort((a, b) => a - b);
    const at = (share: number) =>
      round(late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? Number.NaN);
    const result = {
      name: 'live-burst',
      ours: round(((burst.bytes / burst.seconds) * 60) / 1e6),
      floor: null,
      ratio: null,
      unit: 'MB a minute',
      runs: 1,
      detail: {
        seconds: round(burst.seconds),
        eventsPerSecond: round(burst.events / burst.seconds),
        frames: burst.frames,
        plainMBAMinute: round(((burst.plain / burst.seconds) * 60) / 1e6),
        firstFrameBytes: watcher.first,
        commitToFrameMs: { p50: at(0.5), p95: at(0.95) },
      },
      load: loadavg().map(round),
    };
    if (process.argv.includes('--json')) return console.log(JSON.stringify(result));
    const { detail } = result;
    console.log(
      `live-burst: ${result.ours} MB a minute on the wire (${detail.plainMBAMinute} before deflating), from ${detail.seconds} s with ${detail.eventsPerSecond} events/s in ${detail.frames} frames; ` +
        `commit to frame ${detail.commitToFrameMs.p50} ms, p95 ${detail.commitToFrameMs.p95} ms; first frame ${detail.firstFrameBytes.plain} bytes, ${detail.firstFrameBytes.wire} on the wire (load ${result.load[0]})`,
    );
  } finally {
    api.disconnect();
    await once(api, 'exit');
    await server.stop();
  }
}

interface Watcher {
  readonly first: { readonly plain: number; readonly wire: number };
  readonly committed: Map<number, number>;
  readonly latencies: number[];
  wire(): number;
  seen(): { readonly to: number; readonly frames: number; readonly plain: number };
  close(): void;
}

async function watch(url: string, id: string): Promise<Watcher> {
  const ws = new WebSocket(url, 'graphql-transport-ws');
  await once(ws, 'open');
  const wire = () => (ws as unknown as { _socket: Socket })._socket.bytesRead;
  const before = wire();
  const committed = new Map<number, number>();
  const latencies: number[] = [];
  let [to, frames, plain] = [0, 0, 0];
  ws.on('message', (data) => {
    const now = performance.now();
    const text = String(data);
    const message = JSON.parse(text) as { type: string; payload: { data: { operationEvents: WireFrame } } };
    if (message.type === 'connection_ack')
      ws.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: FRAMES, variables: { id } } }));
    if (message.type !== 'next') return;
    const frame = message.payload.data.operationEvents;
    for (const { sequence } of frame.events) {
      const at = committed.get(sequence);
      if (at !== undefined) latencies.push(now - at);
    }
    [to, frames, plain] = [frame.to, frames + 1, plain + Buffer.byteLength(text)];
  });
  ws.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${TOKEN}` } }));
  while (frames === 0) await sleep(5);
  const first = { plain, wire: wire() - before };
  return {
    first,
    committed,
    latencies,
    wire,
    seen: () => ({ to, frames, plain }),
    close: () => ws.terminate(),
  };
}

/** Nodes run one after the other, several at a time, at the asked rate, each transition a commit of its own. */
async function run(operation: DrivenOperation, keys: readonly string[], watcher: Watcher) {
  const [sequence, bytes, before] = [operation.sequence, watcher.wire(), watcher.seen()];
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  let [next, done] = [8, 0];
  const active = [...keys.slice(0, next)];
  while (elapsed() < SECONDS) {
    if (operation.sequence - sequence >= elapsed() * EVENTS_A_SECOND) {
      await sleep(2);
      continue;
    }
    const slot = done++ % active.length;
    const step = operation.step(active[slot] as string);
    if (step.done) {
      active[slot] = keys[next++] as string;
      continue;
    }
    const from = operation.sequence;
    await operation.commit(step.bodies);
    const now = performance.now();
    for (let one = from + 1; one <= operation.sequence; one += 1) watcher.committed.set(one, now);
  }
  while (watcher.seen().to < operation.sequence) await sleep(5);
  const seconds = elapsed();
  const seen = watcher.seen();
  const result = {
    seconds,
    events: operation.sequence - sequence,
    bytes: watcher.wire() - bytes,
    frames: seen.frames - before.frames,
    plain: seen.plain - before.plain,
  };
  watcher.close();
  return result;
}
