import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrayText } from './array-text.js';

test('[L9] a list becomes the text of an array, whatever its strings hold', () => {
  assert.equal(arrayText([]), '{}');
  assert.equal(arrayText([1, null, -2.5, true]), '{1,NULL,-2.5,true}');
  assert.equal(
    arrayText(['', 'NULL', 'a,b', '{x}', 'say "no"', 'C:\\dir', 'two\nlines', ' ']),
    '{"","NULL","a,b","{x}","say \\"no\\"","C:\\\\dir","two\nlines"," "}',
  );
  // Where JSON would write an escape of its own, the array must not have it.
  assert.equal(
    arrayText(['"\n"', '"\u{1F600}"', '"é\u007f"']),
    '{"\\"\n\\"","\\"\u{1F600}\\"","\\"é\u007f\\""}',
  );
});
