import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFailure } from './request-failure';

const answered = (code: string, more = {}) => ({
  message: `[GraphQL] no`,
  graphQLErrors: [{ message: 'no', extensions: { code, ...more } }],
});

test('a failed request is told by its code', () => {
  assert.deepEqual(requestFailure(answered('UNAUTHENTICATED')), { kind: 'signed_out' });
  assert.deepEqual(requestFailure(answered('WRONG_ORIGIN')), { kind: 'wrong_origin', text: 'no' });
  assert.deepEqual(requestFailure(answered('FORBIDDEN')), { kind: 'not_allowed', text: 'no' });
  assert.deepEqual(requestFailure(answered('INTERNAL', { correlationId: 'c1' })), {
    kind: 'failed',
    text: 'no',
    correlationId: 'c1',
  });
  assert.deepEqual(
    requestFailure({ message: '[Network] Failed to fetch', networkError: new Error('x'), graphQLErrors: [] }),
    { kind: 'offline' },
  );
});
