import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { dataFolder, type Product, processesOf, startProduct, until } from './product.js';

const TICKS = 150;

interface Frame {
  readonly from: number;
  readonly to: number;
  readonly reset: boolean;
  readonly operation: { readonly status: string };
  readonly nodeRuns: readonly { readonly key: string; readonly sequence: number; readonly status: string }[];
  readonly events: readonly { readonly sequence: number; readonly type: string }[];
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly reset: boolean;
  readonly text: string;
  readonly etag: string;
}

const FRAMES = `subscription($id: ID!, $after: Sequence) { operationEvents(id: $id, after: $after) {
  from to reset operation { status } nodeRuns { key sequence status } events { sequence type } } }`;
const LOG = `subscription($id: ID!, $after: ByteOffset, $etag: String) { attemptLog(id: $id, after: $after, etag: $etag) {
  from to reset text etag } }`;
const TRUTH = `query($ref: String!, $after: Sequence!) { operation(ref: $ref) { sequence status nodeRuns { key status }
  events(first: 100, after: $after) { nodes { sequence type } } } }`;

/** A plain client that resumes where it stands. */
function follow(product: Product, operation: string, attempt: string) {
  const token = readFileSync(join(product.data, 'api-token'), 'utf8').trim();
  const codes: number[] = [];
  const client = createClient({
    url: `${product.url.replace(/^http/, 'ws')}graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    // By default it gives up when a connection is refused, as it is while a process starts.
    shouldRetry: () => true,
    retryAttempts: 100,
    retryWait: () => sleep(300),
    on: { closed: (event) => void codes.push((event as { code: number }).code) },
  });
  const frames: Frame[] = [];
  const pieces: Piece[] = [];
  const where = { id: operation, after: null as number | null };
  const there = { id: attempt, after: null as number | null, etag: null as string | null };
  const watching = new Promise<void>((complete, error) =>
    client.subscribe<{ operationEvents: Frame }>(
      { query: FRAMES, variables: where },
      {
        complete,
        error,
        next({ data, errors }) {
          if (!data) return error(errors);
          frames.push(data.operationEvents);
          where.after = data.operationEvents.to;
        },
      },
    ),
  );
  const reading = new Promise<void>((complete, error) =>
    client.subscribe<{ attemptLog: Piece }>(
      { query: LOG, variables: there },
      {
        complete,
        error,
        next({ data, errors }) {
          if (!data) return error(errors);
          pieces.push(data.attemptLog);
          there.after = data.attemptLog.to;
          there.etag = data.attemptLog.etag;
        },
      },
    ),
  );
  return { codes, frames, pieces, watching, reading, end: () => client.dispose() };
}

async function query<T>(product: Product, text: string, variables: Record<string, unknown>): Promise<T> {
  const token = readFileSync(join(product.data, 'api-token'), 'utf8').trim();
  const response = await fetch(`${product.url}graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: text, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: T; errors?: unknown };
  assert.ok(data, JSON.stringify(errors));
  return data;
}

async function endApi(product: Product, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const api = processesOf(product.pid, product.data).find((one) => /main\.js api$/.test(one.command));
  assert.ok(api, 'no api process was found');
  process.kill(api.pid, signal);
  await until('another one answers', 20_000, async () => {
    const another = processesOf(product.pid, product.data).find((one) => /main\.js api$/.test(one.command));
    if (!another || another.pid === api.pid) return false;
    return fetch(`${product.url}readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
}

test('[V17] the API is asked to end, and later killed, while a plain client follows an operation and its output', async (t) => {
  const data = dataFolder(t);
  const product = await startProduct(t, data);
  const file = join(data, 'trial.yaml');
  writeFileSync(
    file,
    `intent: {action: run, target_resource_type: trial, desired_result: {name: live, ticks: ${TICKS}}, hosts: [node/lab-3]}\n`,
  );
  const applied = await product.cli('apply', '-f', file, '--yes', '--json');
  assert.equal(applied.code, 0, applied.stderr);
  const { operation } = applied.json<{ operation: string }>();
  const attemptOf = async () => {
    const found = await query<{ operation: { nodeRuns: { attemptId: string | null }[] } }>(
      product,
      'query($ref: String!) { operation(ref: $ref) { nodeRuns(keys: ["tick"]) { attemptId } } }',
      { ref: operation },
    );
    return found.operation.nodeRuns[0]?.attemptId ?? null;
  };
  await until('the job runs', 30_000, async () => (await attemptOf()) !== null);
  const client = follow(product, operation, (await attemptOf()) ?? '');
  t.after(client.end);
  await until('it prints', 10_000, () => Promise.resolve((client.pieces.at(-1)?.to ?? 0) > 20));
  await endApi(product, 'SIGTERM');
  const seen = client.pieces.length;
  await until('the output goes on', 20_000, () => Promise.resolve(client.pieces.length > seen));
  await endApi(product, 'SIGKILL');
  await Promise.all([client.watching, client.reading]);

  assert.equal(client.codes[0], 1012, 'a restart says that it is one');
  assert.ok(!client.codes.slice(0, -1).includes(1000), String(client.codes));
  for (const [i, frame] of client.frames.entries()) {
    const before = client.frames[i - 1];
    if (before) assert.deepEqual([frame.reset, frame.from], [false, before.to + 1]);
  }
  const fresh = await query<{
    operation: {
      sequence: number;
      status: string;
      nodeRuns: { key: string; status: string }[];
      events: { nodes: { sequence: number; type: string }[] };
    };
  }>(product, TRUTH, { ref: operation, after: 0 });
  assert.equal(fresh.operation.status, 'succeeded');
  assert.deepEqual(
    client.frames.flatMap(({ events }) => events),
    fresh.operation.events.nodes,
    'every event, each once',
  );
  assert.equal(client.frames.at(-1)?.operation.status, 'succeeded');
  const rows = new Map<string, { sequence: number; status: string }>();
  for (const row of client.frames.flatMap(({ nodeRuns }) => nodeRuns))
    if (row.sequence >= (rows.get(row.key)?.sequence ?? -1)) rows.set(row.key, row);
  assert.deepEqual(
    fresh.operation.nodeRuns.map(({ key, status }) => [key, status]),
    fresh.operation.nodeRuns.map(({ key }) => [key, rows.get(key)?.status]),
  );
  assert.equal(client.pieces.filter(({ reset }) => reset).length, 1);
  assert.equal(
    client.pieces.map(({ text }) => text).join(''),
    Array.from({ length: TICKS }, (_, i) => `tick ${i}\n`).join(''),
    'every byte, once',
  );
});
