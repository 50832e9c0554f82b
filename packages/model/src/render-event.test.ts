import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationEvent, OperationEventBody } from './operation.js';
import type { Reason } from './reason.js';
import { renderEvent } from './render-event.js';

const at = (body: OperationEventBody): OperationEvent => ({
  ...body,
  sequence: 1,
  v: 1,
  actor: { kind: 'service', id: 'engine' },
});

test('an event is one line that begins with its node and ends with the cause', () => {
  const attempt = { nodeKey: 'verify-postgres', attemptId: 'att_1' };
  assert.equal(
    renderEvent(at({ type: 'attempt_satisfied', ...attempt, number: 1, host: 'node/lab-1' })),
    'verify-postgres: succeeded (was true already: nothing had to change)',
  );
  assert.equal(
    renderEvent(
      at({
        type: 'attempt_closed',
        ...attempt,
        status: 'failed',
        node: 'failed',
        reason: { code: 'exit_code', args: { exitCode: 3 } },
      }),
    ),
    'verify-postgres: failed (ended with exit code 3)',
  );
  assert.equal(
    renderEvent(at({ type: 'attempt_ended', ...attempt, end: { kind: 'exited', code: 0 } })),
    'verify-postgres: ended, being proved',
  );
  assert.equal(renderEvent(at({ type: 'operation_succeeded' }), 'ru'), 'успешно завершена');
});

test('an attempt that cannot go on says its own cause, and speaks of the connection only where that is lost', () => {
  const attempt = { nodeKey: 'a', attemptId: 'att_1' };
  const said = (reason: Reason, locale: 'en' | 'ru' = 'en'): string =>
    renderEvent(at({ type: 'attempt_disconnected', ...attempt, reason }), locale);
  const full: Reason = { code: 'disk_full', args: { path: '/var/lib/capstan/run', free: 61_440 } };
  assert.match(said(full), /^a: waiting \(.*\/var\/lib\/capstan\/run/);
  assert.match(said(full, 'ru'), /^a: ждёт \(/);
  assert.match(said({ code: 'disconnected', args: { detail: 'cut' } }), /^a: running, connection lost \(/);
});

test('what needs attention names every node that does', () => {
  const words = renderEvent(
    at({
      type: 'operation_needs_attention',
      reasons: [
        { nodeKey: 'a', reason: { code: 'timed_out', args: {} } },
        { nodeKey: 'b', reason: { code: 'exit_code', args: { exitCode: 1 } } },
      ],
    }),
  );
  assert.match(words, /^needs attention \(a: .+\) \(b: ended with exit code 1\)$/);
});

test('an event type of a newer version is still a line', () => {
  const unknown = {
    ...at({ type: 'operation_started' }),
    type: 'operation_painted',
  } as unknown as OperationEvent;
  assert.equal(renderEvent(unknown), 'operation_painted');
});
