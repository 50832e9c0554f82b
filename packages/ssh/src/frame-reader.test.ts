import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { FrameReader } from './frame-reader.js';

const MARK = 'c0ffee00c0ffee00';

test('[V01] noise before the marker is thrown away however the bytes are cut, counted bytes are handed over exactly', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.stringMatching(/^[c0f e\n]{0,40}$/),
      fc.uint8Array({ maxLength: 60 }),
      fc.array(fc.nat(200), { maxLength: 10 }),
      async (noise, payload, cuts) => {
        const whole = Buffer.concat([
          Buffer.from(`${noise}${MARK} door 1\n${MARK} data ${payload.length}\n`),
          payload,
          Buffer.from(`${MARK} end\n`),
        ]);
        const stream = new PassThrough();
        const reader = new FrameReader(stream, MARK);
        let from = 0;
        for (const cut of [...cuts.filter((n) => n < whole.length).sort((a, b) => a - b), whole.length]) {
          stream.write(whole.subarray(from, cut));
          from = cut;
        }
        stream.end();
        assert.deepEqual(await reader.seek(1_000), { words: 'door 1', noise });
        assert.deepEqual(await reader.line(1_000), { words: `data ${payload.length}` });
        const pieces: Buffer[] = [];
        assert.equal(await reader.bytes(payload.length, 1_000, (piece) => void pieces.push(piece)), true);
        assert.deepEqual(Buffer.concat(pieces), Buffer.from(payload));
        assert.deepEqual(await reader.line(1_000), { words: 'end' });
        assert.deepEqual(await reader.line(1_000), { none: 'ended' });
      },
    ),
    { numRuns: 200 },
  );
});

test('silence, an early end and a line without the marker are told apart', async () => {
  const stream = new PassThrough();
  const reader = new FrameReader(stream, MARK);
  assert.deepEqual(await reader.line(20), { none: 'silent' });
  assert.deepEqual(await reader.seek(20), { none: 'silent', noise: '' });
  stream.write('something else\n');
  assert.deepEqual(await reader.line(20), { none: 'garbled' });
  const torn = new PassThrough();
  const other = new FrameReader(torn, MARK);
  torn.write('half');
  torn.end();
  assert.equal(await other.bytes(10, 100, () => undefined), false);
  assert.deepEqual(await other.seek(100), { none: 'ended', noise: '' });
});

test('[C18] a reader that is not asked takes no more than it must', async () => {
  const stream = new PassThrough({ highWaterMark: 1024 });
  new FrameReader(stream, MARK);
  let accepted = 0;
  for (let n = 0; n < 200; n++) {
    if (!stream.write(Buffer.alloc(16_384))) await new Promise((resolve) => setImmediate(resolve));
    if (stream.writableLength > 65_536) break;
    accepted += 16_384;
  }
  assert.ok(accepted < 600_000, `${accepted} bytes were taken`);
});
