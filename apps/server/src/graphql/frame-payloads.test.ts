import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSchema, GraphQLError, parse } from 'graphql';
import { FramePayloads, selectionOf } from './frame-payloads.js';

const schema = buildSchema(`
  type Frame { n: Int! text(locale: String, after: String): String! fails: String }
  type Query { a: Int }
  type Subscription { frames(id: ID!, after: String): Frame }`);

function selection(source: string, variableValues: Record<string, unknown>, operationName?: string) {
  return selectionOf({ schema, document: parse(source), variableValues, operationName }, source);
}

const FRAMES =
  'subscription($id: ID!, $after: String, $locale: String) { frames(id: $id, after: $after) { n text(locale: $locale) } }';

test('the cursor makes no difference, everything else does', () => {
  const key = (variables: Record<string, unknown>, source = FRAMES) => selection(source, variables).key;
  const one = key({ id: 'x' });
  assert.equal(key({ id: 'x', after: '5' }), one);
  assert.equal(key({ after: null, id: 'x' }), one);
  assert.notEqual(key({ id: 'y' }), one);
  assert.notEqual(key({ id: 'x', locale: 'ru' }), one);
  assert.notEqual(key({ id: 'x' }, `${FRAMES} `), one);
  const inFragment =
    'subscription($a: String) { ...F } fragment F on Subscription { frames(id: 1, after: $a) { n } }';
  assert.equal(key({ a: '1' }, inFragment), key({ a: '2' }, inFragment));
});

test('a cursor that is used elsewhere, or an argument of that name below a frame, does make a difference', () => {
  const twice = 'subscription($after: String) { frames(id: 1, after: $after) { text(locale: $after) } }';
  assert.notEqual(selection(twice, { after: '1' }).key, selection(twice, { after: '2' }).key);
  const below = 'subscription($a: String) { frames(id: 1) { text(after: $a) } }';
  assert.notEqual(selection(below, { a: '1' }).key, selection(below, { a: '2' }).key);
});

test('one execution per frame and selection, without a context; what fails is said once for all', async () => {
  const failed: string[] = [];
  const payloads = new FramePayloads((error) => {
    failed.push(error.message);
    return new GraphQLError('its id is 1');
  });
  const seen: unknown[] = [];
  const frame = {
    frames: {
      n: 1,
      text: (_args: unknown, context: unknown) => {
        seen.push(context);
        return 'text';
      },
      fails: () => {
        throw new Error('a detail');
      },
    },
  };
  const texts = await Promise.all([
    payloads.of(frame, selection(FRAMES, { id: 1 })),
    payloads.of(frame, selection(FRAMES, { id: 1, after: '7' })),
  ]);
  assert.equal(texts[0], texts[1]);
  assert.deepEqual(JSON.parse(texts[0]), { data: { frames: { n: 1, text: 'text' } } });
  assert.deepEqual([payloads.executions, seen], [1, [{}]]);
  const broken = await payloads.of(frame, selection('subscription { frames(id: 1) { fails } }', {}));
  assert.deepEqual(JSON.parse(broken), {
    data: { frames: { fails: null } },
    errors: [{ message: 'its id is 1' }],
  });
  assert.deepEqual(failed, ['a detail']);
  await payloads.of({ frames: null }, selection(FRAMES, { id: 1 }));
  assert.equal(payloads.executions, 3);
});
