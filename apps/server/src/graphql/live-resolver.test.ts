import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../api/served.test-support.js';

test('a subscription that is sent as a request is told where subscriptions run', async (t) => {
  const served = await serve(t);
  for (const query of [
    'subscription { operationEvents(id: "op-1") { to } }',
    'subscription { attemptLog(id: "att_1") { to } }',
  ]) {
    const response = await served.post(JSON.stringify({ query }));
    const answer = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] };
    assert.equal(answer.errors[0]?.extensions.code, 'BAD_REQUEST', JSON.stringify(answer));
    assert.match(answer.errors[0]?.message ?? '', /WebSocket/);
  }
  assert.deepEqual(served.reported, []);
});
