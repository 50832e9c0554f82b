import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPlan } from '@capstan/engine/testing';
import { serve } from './served.test-support.js';

const PRUNE = `mutation($input: PruneInput!) { prune(input: $input) { __typename
  ... on PruneReport { dryRun complete items { kind objects bytes } left { host folders reason { text } } }
  ... on Problem { code } } }`;
const ROTATE = `mutation($input: RotateKeyInput!) { rotateKey(input: $input) { __typename
  ... on RotatedKey { former current rewrapped resumed } ... on Problem { code text { text } } } }`;
const idempotencyKey = 'key-00000001';

test('retention says what would go, and then what went and what had to stay', async (t) => {
  const served = await serve(t);
  assert.deepEqual(await served.query(PRUNE, { input: { dryRun: true, idempotencyKey } }), {
    prune: {
      __typename: 'PruneReport',
      dryRun: true,
      complete: true,
      items: [
        { kind: 'logs', objects: 1, bytes: 5_000_000_000 },
        { kind: 'run_folders', objects: 1, bytes: null },
      ],
      left: [],
    },
  });
  const { prune } = await served.query<{ prune: { left: unknown; items: unknown[] } }>(PRUNE, {
    input: { dryRun: false, idempotencyKey },
  });
  assert.deepEqual(prune.left, [{ host: 'node/gone', folders: 1, reason: null }]);
  assert.equal(prune.items.length, 1);
});

test('[L10] the key is rotated once; a second call meanwhile is a typed refusal', async (t) => {
  const served = await serve(t);
  assert.deepEqual(await served.query(ROTATE, { input: { idempotencyKey } }), {
    rotateKey: { __typename: 'RotatedKey', former: 'k1', current: 'k2', rewrapped: 3, resumed: true },
  });
  const { rotateKey } = await served.query<{ rotateKey: { __typename: string; text: { text: string } } }>(
    ROTATE,
    { input: { idempotencyKey: 'key-00000002' } },
  );
  assert.equal(rotateKey.__typename, 'IllegalState');
  assert.match(rotateKey.text.text, /another rotation/);
});

test('[L9] events that were pruned are a typed gap beside the page, as long as the reader stands before its end', async (t) => {
  const served = await serve(t);
  const started = await served.query<{ startOperation: { operation: { number: string } } }>(
    `mutation($input: StartInput!) { startOperation(input: $input) { ... on StartedOperation { operation { number } } } }`,
    { input: { document: { yaml: 'good' }, idempotencyKey } },
  );
  const ref = started.startOperation.operation.number;
  const gapAfter = async (after: number) =>
    (
      await served.query<{ operation: { events: { gap: unknown } } }>(
        `query($ref: String!, $after: Sequence!) { operation(ref: $ref) {
          events(first: 10, after: $after) { nodes { sequence } gap { first last at actor sha256 } } } }`,
        { ref, after },
      )
    ).operation.events.gap;
  assert.equal(await gapAfter(0), null);
  const gap = { first: 1, last: 7, at: '2026-01-01T00:00:00.000Z', actor: 'human:ada', sha256: 'f' };
  served.pruned.gap = gap;
  assert.deepEqual(await gapAfter(0), gap);
  assert.deepEqual(await gapAfter(6), gap);
  assert.equal(await gapAfter(7), null);
});

test('[C17] a reader of a log is told in its place what was not kept, and goes on behind it', async (t) => {
  const served = await serve(t);
  const id = await served.engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = served.engine.worker('w1');
  await worker.start();
  t.after(() => worker.stop());
  await served.engine.until(
    'its end',
    async () => (await served.engine.operations.load(id))?.status === 'succeeded',
  );
  const attempt = (await served.engine.operations.load(id))?.attempts[0];
  assert.ok(attempt);
  const size = await served.engine.logs.size(attempt.id);
  const page = async (from: number) =>
    (
      await served.query<{ attemptLog: Record<string, unknown> }>(
        `query($op: String!, $id: ID!, $from: ByteOffset!) {
          attemptLog(operation: $op, attempt: $id, from: $from) { next text end missing } }`,
        { op: id, id: attempt.id, from },
      )
    ).attemptLog;
  assert.equal((await page(0)).missing, false);
  // The memory store has no cut of its own: what it holds ends where the cut begins.
  served.pruned.logs.set(attempt.id, { logCut: { from: size, to: size + 1_000 } });
  assert.deepEqual(await page(size), {
    next: size + 1_000,
    text: '\n[1000 bytes were not kept]\n',
    end: true,
    missing: true,
  });
  const at = '2026-01-01T00:00:00.000Z';
  served.pruned.logs.set(attempt.id, { logSize: size, logPruned: { at, sha256: 'f' } });
  served.engine.logs.logs.set(attempt.id, new Uint8Array());
  assert.deepEqual(await page(0), {
    next: size,
    text: `[${size} bytes were removed on ${at}]\n`,
    end: true,
    missing: true,
  });
});
