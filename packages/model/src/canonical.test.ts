import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalHash, canonicalJson } from './canonical.js';

test('[S27] canonical JSON does not depend on the order of keys', () => {
  assert.equal(canonicalJson({ b: 1, a: [true, null, 'é'] }), '{"a":[true,null,"é"],"b":1}');
  assert.equal(canonicalJson({ a: undefined, b: 2 }), canonicalJson({ b: 2 }));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const turned = Object.fromEntries(Object.entries(object).reverse());
      assert.equal(canonicalJson(turned), canonicalJson(object));
      assert.deepEqual(JSON.parse(canonicalJson(object)), JSON.parse(JSON.stringify(object)));
    }),
  );
});

test('[L8] the same value under another domain has another hash', () => {
  assert.notEqual(canonicalHash('a', { x: 1 }), canonicalHash('b', { x: 1 }));
  assert.equal(canonicalHash('a', { x: 1 }), canonicalHash('a', { x: 1 }));
});

test('[S27] what JSON cannot say is refused', () => {
  assert.throws(() => canonicalJson({ n: Number.NaN }), TypeError);
  assert.throws(() => canonicalJson({ f: () => 1 }), TypeError);
});
