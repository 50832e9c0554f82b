import 'reflect-metadata';
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFileDatabase } from '@capstan/postgres/testing';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import {
  DrivenOperation,
  Follower,
  FRAMES,
  PERSON,
  type ServedLive,
  serveLive,
  statuses,
  TOKEN,
  truth,
  until,
  type WireFrame,
} from '../live/live.test-support.js';

const { database: db } = await startFileDatabase();
let count = 0;

const started = (keys = ['a', 'b', 'c']) => DrivenOperation.start(db, `s${++count}`, keys);

/** A socket that speaks by hand: what it gets is kept as text. */
async function rawSocket(
  { url }: ServedLive,
  options: { deflate?: boolean; headers?: Record<string, string>; token?: string | null } = {},
): Promise<{ ws: WebSocket; texts: string[]; closed: Promise<{ code: number; reason: string }> }> {
  const ws = new WebSocket(url, 'graphql-transport-ws', {
    perMessageDeflate: options.deflate ?? false,
    headers: options.headers ?? {},
  });
  const texts: string[] = [];
  ws.on('message', (data) => void texts.push(String(data)));
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  if (options.token !== null) {
    const authorization = `Bearer ${options.token ?? TOKEN}`;
    ws.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    await until('an answer', () => texts.length > 0 || ws.readyState !== ws.OPEN);
  }
  return { ws, texts, closed };
}

function subscribe(ws: WebSocket, id: string, query: string, variables: Record<string, unknown>): void {
  ws.send(JSON.stringify({ id, type: 'subscribe', payload: { query, variables } }));
}

/** The status line of an upgrade with these headers. */
function upgradeStatus({ port }: ServedLive, path: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const lines = Object.entries({
        Host: `127.0.0.1:${port}`,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    });
    socket.once('data', (data) => {
      resolve(String(data).split('\r\n', 1)[0] ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve('closed'));
  });
}

const PROTOCOL = { 'Sec-WebSocket-Protocol': 'graphql-transport-ws' };

test('[C33] another origin, another path and the old subprotocol are refused before a socket exists', async (t) => {
  const served = await serveLive(t, db);
  const own = `http://127.0.0.1:${served.port}`;
  for (const origin of [
    'null',
    'http://127.0.0.1',
    `http://127.0.0.1:${served.port + 1}`,
    `https://127.0.0.1:${served.port}`,
    // check-allow localhost: another name of this machine is another origin
    `http://localhost:${served.port}`,
    `http://127.0.0.1:${served.port}.evil.example`,
    `http://evil.example/?${own}`,
    `${own}/`,
    '',
  ])
    assert.match(await upgradeStatus(served, '/graphql', { ...PROTOCOL, Origin: origin }), / 403 /, origin);
  assert.match(await upgradeStatus(served, '/graphql', { ...PROTOCOL, Origin: own }), / 101 /);
  assert.match(await upgradeStatus(served, '/graphql?x=1', PROTOCOL), / 101 /);
  for (const protocol of ['graphql-ws', 'soap'])
    assert.match(await upgradeStatus(served, '/graphql', { 'Sec-WebSocket-Protocol': protocol }), / 400 /);
  assert.match(await upgradeStatus(served, '/graphql', {}), / 400 /);
  for (const path of ['/', '/graphql/', '/graphqlx', '/_next/webpack-hmr'])
    assert.match(await upgradeStatus(served, path, PROTOCOL), / 404 /, path);
});

test('who does not say who he is, or says it wrongly, or too late, is told so and sent away', async (t) => {
  const served = await serveLive(t, db, { limits: { initMs: 100 } });
  const wrong = await rawSocket(served, { token: 'nothing' });
  assert.equal((await wrong.closed).code, 4401);
  const silent = await rawSocket(served, { token: null });
  assert.equal((await silent.closed).code, 4408);
  const early = await rawSocket(served, { token: null });
  subscribe(early.ws, '1', FRAMES, { id: 'op-1' });
  assert.equal((await early.closed).code, 4401);
  assert.deepEqual([wrong.texts, silent.texts, early.texts], [[], [], []]);
});

test('credentials that are withdrawn end the socket', async (t) => {
  let valid = true;
  const served = await serveLive(t, db, {
    limits: { authenticateMs: 50 },
    authenticate: () => Promise.resolve(valid ? PERSON : null),
  });
  const socket = await rawSocket(served);
  assert.deepEqual(JSON.parse(socket.texts[0] ?? ''), {
    type: 'connection_ack',
    payload: { feedEpoch: await served.hub.epoch() },
  });
  valid = false;
  assert.equal((await socket.closed).code, 4401);
});

test('[C31] what is asked over a socket is judged like over HTTP, and only subscriptions run', async (t) => {
  const served = await serveLive(t, db, { limits: { subscriptionsPerSocket: 2, messageBytes: 20_000 } });
  const operation = await started();
  const socket = await rawSocket(served);
  const refusal = async (query: string, variables = {}): Promise<string> => {
    const id = `r${socket.texts.length}`;
    subscribe(socket.ws, id, query, variables);
    const seen = () => socket.texts.map((text) => JSON.parse(text)).find((one) => one.id === id);
    await until('an answer', () => seen() !== undefined);
    assert.equal(seen().type, 'error', JSON.stringify(seen()));
    return `${seen().payload[0].extensions.code} ${seen().payload[0].extensions.problem?.code ?? ''}`.trim();
  };
  const field = (inner: string) => `subscription { operationEvents(id: "${operation.id}") { ${inner} } }`;
  assert.equal(await refusal('{ viewer { actor { id } } }'), 'BAD_REQUEST');
  assert.equal(await refusal('mutation { reloadPacks { __typename } }'), 'BAD_REQUEST');
  assert.equal(await refusal('subscription { nothing }'), 'BAD_REQUEST');
  assert.equal(await refusal('subscription {'), 'BAD_REQUEST');
  assert.equal(await refusal(`subscription { ${'a{'.repeat(11)} b ${'}'.repeat(12)}`), 'TOO_EXPENSIVE');
  assert.equal(
    await refusal(field(Array.from({ length: 16 }, (_, i) => `x${i}: to`).join(' '))),
    'TOO_EXPENSIVE',
  );
  assert.equal(
    await refusal(`${field('to')} fragment F on Query { viewer { actor { id } } }`),
    'BAD_REQUEST',
  );
  assert.equal(await refusal(FRAMES, { id: 'op-999999' }), 'BAD_REQUEST not_found');
  assert.equal(await refusal(FRAMES, { id: operation.id, after: -1 }), 'BAD_REQUEST');
  assert.equal(
    await refusal('subscription { attemptLog(id: "att_none") { text } }'),
    'BAD_REQUEST not_found',
  );
  assert.equal(await refusal('subscription($v: ID!) { attemptLog(id: $v) { text } }'), 'BAD_REQUEST');
  for (const id of ['one', 'two']) subscribe(socket.ws, id, FRAMES, { id: operation.id });
  assert.equal(await refusal(FRAMES, { id: operation.id }), 'TOO_EXPENSIVE');
  assert.deepEqual(served.reported, []);
  const large = await rawSocket(served);
  large.ws.send(JSON.stringify({ id: 'x', type: 'subscribe', payload: { query: 'x'.repeat(30_000) } }));
  assert.equal((await large.closed).code, 1009);
  const binary = await rawSocket(served);
  binary.ws.send(Buffer.from('{"type":"ping"}'), { binary: true });
  assert.equal((await binary.closed).code, 1003);
});

test('50 cuts of the socket: nothing missed, nothing repeated', async (t) => {
  const served = await serveLive(t, db);
  const keys = Array.from({ length: 40 }, (_, i) => `n${i}`);
  const operation = await started(keys);
  const follower = new Follower();
  const sockets = new Set<WebSocket>();
  let cuts = 0;
  class CutSocket extends WebSocket {
    constructor(url: string, protocols: string) {
      super(url, protocols);
      sockets.add(this);
      this.once('close', () => sockets.delete(this));
    }
  }
  const variables = { id: operation.id, after: null as number | null };
  const client = createClient({
    url: served.url,
    webSocketImpl: CutSocket,
    connectionParams: { authorization: `Bearer ${TOKEN}` },
    retryAttempts: 1_000,
    shouldRetry: () => true,
    retryWait: () => sleep(1),
  });
  t.after(() => client.dispose());
  const over = new Promise<void>((resolve, reject) => {
    client.subscribe<{ operationEvents: WireFrame }>(
      { query: FRAMES, variables },
      {
        next({ data }) {
          assert.ok(data);
          follower.take(data.operationEvents);
          // The client sends its payload anew with every connection: the cursor in it is what it resumes from.
          variables.after = follower.to;
        },
        error: reject,
        complete: resolve,
      },
    );
  });
  // A first frame carries the last 50 events: from here on every one must come.
  await until('the first frame', () => follower.to !== null);
  const cutting = (async () => {
    while (cuts < 50) {
      await until('a socket', () => [...sockets].some((one) => one.readyState === one.OPEN));
      await sleep(Math.random() * 40);
      for (const one of sockets) if (one.readyState === one.OPEN) one.terminate();
      cuts += 1;
    }
  })();
  const working = (async () => {
    for (const key of keys) {
      for (let step = operation.step(key); !step.done; step = operation.step(key)) {
        await operation.commit(step.bodies);
        if (cuts < 50) await sleep(10);
      }
    }
    await until('50 cuts', () => cuts >= 50, 30_000);
    await operation.commit([{ type: 'operation_succeeded' }]);
  })();
  await Promise.all([cutting, working, over]);
  assert.equal(cuts, 50);
  assert.deepEqual(follower.faults, []);
  assert.equal(follower.resets, 1, 'only the first frame was everything');
  const all = (await db.live.rows(operation.id, -1, 1_000_000, 1))?.events.map(({ event }) => event.sequence);
  assert.deepEqual(follower.events, all, 'every event, each once');
  assert.deepEqual(statuses(follower.nodes), truth(operation));
  assert.ok([...follower.nodes.values()].every((node) => node.endedAt !== null));
  assert.equal(follower.stages.get('main')?.done, keys.length);
});

test('100 sockets at the same place: one execution and the same bytes for all', async (t) => {
  const served = await serveLive(t, db);
  const operation = await started(Array.from({ length: 200 }, (_, i) => `n${i}`));
  const all = await Promise.all(Array.from({ length: 100 }, () => rawSocket(served)));
  for (const [i, { ws }] of all.entries()) {
    // Where they begin, and what they call the subscription, is theirs; what they are told is not.
    subscribe(ws, `watcher ${i} "quoted"`, FRAMES, {
      id: operation.id,
      ...(i % 3 ? {} : { after: null }),
    });
  }
  await until('the first frame at all', () => all.every(({ texts }) => texts.length === 2));
  const payload = (text: string): string => text.slice(text.indexOf('"payload":'));
  // Who comes a moment later is told of a later moment.
  const firsts = new Set(all.map(({ texts }) => payload(texts[1] ?? ''))).size;
  const made = served.sockets.executions();
  assert.ok(firsts <= made && made < 10, `${made} executions for ${firsts} payloads`);
  assert.deepEqual(
    all.map(({ texts }) => JSON.parse(texts[1] ?? '').id),
    all.map((_, i) => `watcher ${i} "quoted"`),
  );
  const before = served.sockets.executions();
  served.reads.clear();
  await operation.commit(operation.step('n7').bodies);
  await until('the second frame at all', () => all.every(({ texts }) => texts.length === 3));
  assert.equal(new Set(all.map(({ texts }) => payload(texts[2] ?? ''))).size, 1);
  assert.equal(served.sockets.executions() - before, 1);
  assert.equal(served.total(), 1, JSON.stringify([...served.reads]));
  // Another language is another payload, of the same frame.
  const other = await rawSocket(served);
  subscribe(other.ws, 'ru', FRAMES.replace('title { text }', 'title { text(locale: "ru") }'), {
    id: operation.id,
    after: operation.sequence - 1,
  });
  await until('the other one', () => other.texts.length === 2);
  assert.equal(served.sockets.executions() - before, 2);
  for (const { ws } of [...all, other]) ws.terminate();
});

test('large frames are deflated on the wire, small ones are not', async (t) => {
  const served = await serveLive(t, db, { limits: { deflateBytes: 8_192 } });
  const operation = await started(Array.from({ length: 1_000 }, (_, i) => `node-number-${i}`));
  const socket = await rawSocket(served, { deflate: true });
  const tcp = (socket.ws as unknown as { _socket: Socket })._socket;
  const read = tcp.bytesRead;
  subscribe(socket.ws, '1', FRAMES, { id: operation.id });
  await until('everything', () => socket.texts.length === 2);
  const [plain, sent] = [socket.texts[1]?.length ?? 0, tcp.bytesRead - read];
  assert.ok(plain > 100_000 && sent < plain / 8, `${plain} bytes were sent as ${sent}`);
  const small = tcp.bytesRead;
  await operation.commit(operation.step('node-number-7').bodies);
  await until('one change', () => socket.texts.length === 3);
  const [text, wire] = [socket.texts[2]?.length ?? 0, tcp.bytesRead - small];
  assert.ok(text < 8_192 && wire >= text, `${text} bytes were sent as ${wire}`);
  socket.ws.terminate();
});

test('a client that does not read gets fewer and larger frames, and costs no memory; silent for too long it is cut off', async (t) => {
  const served = await serveLive(t, db, { limits: { pingMs: 60_000 } });
  const operation = await started();
  const slow = await rawSocket(served);
  const tcp = (slow.ws as unknown as { _socket: Socket })._socket;
  subscribe(slow.ws, '1', FRAMES, { id: operation.id });
  await until('the first frame', () => slow.texts.length === 2);
  tcp.pause();
  const reason = { code: 'capacity' as const, args: { note: 'x'.repeat(3_000) } };
  let most = 0;
  for (let i = 0; i < 60; i += 1) {
    await operation.commit(
      Array.from({ length: 100 }, () => ({ type: 'node_waiting' as const, nodeKey: 'a', reason })),
    );
    if (i % 3 === 0) await sleep(110);
    most = Math.max(most, ...served.sockets.waiting());
  }
  // 6,000 events of 3 kB each: 18 MB were not sent; at most one frame waits.
  assert.ok(most < 4_000_000, `${most} bytes waited`);
  tcp.resume();
  const follower = new Follower();
  let taken = 1;
  await until('everything that was missed', () => {
    for (; taken < slow.texts.length; taken += 1)
      follower.take(JSON.parse(slow.texts[taken] ?? '').payload.data.operationEvents);
    return follower.to === operation.sequence;
  });
  assert.deepEqual(follower.faults, []);
  slow.ws.terminate();

  const strict = await serveLive(t, db, { limits: { pingMs: 100 } });
  const dead = await rawSocket(strict);
  (dead.ws as unknown as { _socket: Socket })._socket.pause();
  await until('it is cut off', () => strict.sockets.waiting().length === 0, 2_000);
  dead.ws.terminate();
});

test('a client that asks and asks without reading is cut off', async (t) => {
  const served = await serveLive(t, db, { limits: { waitingBytes: 50_000 } });
  const greedy = await rawSocket(served);
  (greedy.ws as unknown as { _socket: Socket })._socket.pause();
  const ping = JSON.stringify({ type: 'ping', payload: { filler: 'x'.repeat(50_000) } });
  await until(
    'it is cut off',
    () => {
      if (greedy.ws.readyState === greedy.ws.OPEN) for (let i = 0; i < 50; i += 1) greedy.ws.send(ping);
      return served.sockets.waiting().length === 0;
    },
    10_000,
  );
  greedy.ws.terminate();
});

test('[V17] the end of the server is no end of the stream: 1012, and the client goes on where it stood', async (t) => {
  const operation = await started();
  const follower = new Follower();
  const codes: number[] = [];
  let completed = false;
  const first = await serveLive(t, db);
  const variables = { id: operation.id, after: null as number | null };
  const client: Client = createClient({
    url: first.url,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${TOKEN}` },
    retryWait: () => sleep(20),
    retryAttempts: 1_000,
    // By default it gives up when a connection is refused, as it is while a process starts.
    shouldRetry: () => true,
    on: { closed: (event) => void codes.push((event as { code: number }).code) },
  });
  t.after(() => client.dispose());
  const failed: unknown[] = [];
  client.subscribe<{ operationEvents: WireFrame }>(
    { query: FRAMES, variables },
    {
      next({ data }) {
        assert.ok(data);
        follower.take(data.operationEvents);
        variables.after = follower.to;
      },
      error: (error) => void failed.push(error),
      complete: () => {
        completed = true;
      },
    },
  );
  await until('the first frame', () => follower.to !== null);
  await first.sockets.close();
  await operation.chatter('a', 3);
  assert.equal(completed, false, 'the operation runs');
  await until('the goodbye', () => codes.length > 0);
  assert.equal(codes[0], 1012);
  await first.stop();
  await serveLive(t, db, { port: first.port });
  await until('what happened meanwhile', () => follower.to === operation.sequence);
  assert.deepEqual([follower.faults, follower.resets, failed, completed], [[], 1, [], false]);
});

test('a subscription that comes while the database is away is sent away for now, not ended', async (t) => {
  let away = 2;
  const served = await serveLive(t, db, {
    live: {
      operationId: (ref) => (away-- > 0 ? Promise.reject(new Error('away')) : db.live.operationId(ref)),
    },
  });
  const operation = await started();
  const codes: number[] = [];
  const client = createClient({
    url: served.url,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${TOKEN}` },
    retryWait: () => sleep(5),
    on: { closed: (event) => void codes.push((event as { code: number }).code) },
  });
  t.after(() => client.dispose());
  await new Promise<void>((resolve, reject) => {
    client.subscribe(
      { query: FRAMES, variables: { id: operation.id } },
      { next: () => resolve(), error: reject, complete: () => reject(new Error('complete')) },
    );
  });
  assert.deepEqual([codes, served.reported], [[1013, 1013], []]);
});

test('a proper end is `complete` after the last frame', async (t) => {
  const served = await serveLive(t, db);
  const operation = await started(['a']);
  const socket = await rawSocket(served);
  subscribe(socket.ws, '1', FRAMES, { id: operation.id });
  await until('the first frame', () => socket.texts.length === 2);
  await operation.finish();
  await until('its end', () => socket.texts.some((text) => JSON.parse(text).type === 'complete'));
  const types = socket.texts.map((text) => JSON.parse(text).type);
  assert.equal(types.at(-1), 'complete');
  const last = JSON.parse(socket.texts.at(-2) ?? '').payload.data.operationEvents as WireFrame;
  assert.deepEqual([last.to, last.operation.status], [operation.sequence, 'succeeded']);
  socket.ws.close(1000);
  assert.equal((await socket.closed).code, 1000);
});
