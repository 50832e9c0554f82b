import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRedactor, maskAll } from './redact.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const show = (value: Uint8Array): string => Buffer.from(value).toString('latin1');
const mask = (
  text: string,
  values: readonly (string | Uint8Array)[],
  patterns: readonly string[] = [],
): string =>
  show(
    maskAll(bytes(text), {
      values: values.map((value) => (typeof value === 'string' ? bytes(value) : value)),
      patterns,
    }),
  );

function stream(
  text: Uint8Array,
  cuts: readonly number[],
  secrets: Parameters<typeof createRedactor>[0],
): { out: Uint8Array; ends: number[] } {
  const redactor = createRedactor(secrets);
  const parts: Uint8Array[] = [];
  const ends: number[] = [];
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    parts.push(redactor.push(text.subarray(from, cut)));
    ends.push(parts.reduce((sum, part) => sum + part.length, 0));
    from = cut;
  }
  parts.push(redactor.flush());
  return { out: Uint8Array.from(Buffer.concat(parts)), ends };
}

test('[S10] a value is masked in every spelling that keeps it readable, and the length never changes', () => {
  const secret = 'p@ss "w/ö\'rd\\&<x>';
  const raw = Buffer.from(secret);
  const spellings = [
    secret,
    raw.toString('base64'),
    raw.toString('base64url'),
    raw.toString('hex'),
    raw.toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }).toString().slice(2),
    encodeURIComponent(secret).toLowerCase(),
    JSON.stringify(secret),
    JSON.stringify(secret).replace('ö', '\\u00f6'),
    JSON.stringify(secret).replaceAll('/', '\\/'),
    secret.replaceAll("'", "'\\''"),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    `\u001b[31m${secret.slice(0, 5)}\u001b[0m${secret.slice(5)}`,
  ];
  for (const spelling of spellings) {
    const text = `before ${spelling} after\n`;
    const out = mask(text, [secret]);
    assert.equal(out.length, bytes(text).length);
    assert.match(out.replace('\u001b[31m', ''), /^before ["]?[*]+["]? after\n$/, spelling);
  }
});

test('[S10] base64 of a longer text hides the secret in it at each of the three offsets', () => {
  const secret = 'correct horse battery';
  for (const before of ['', 'u', 'us', 'use', 'user:']) {
    for (const after of ['', '\n', ' ok', ':tail!']) {
      const whole = Buffer.from(before + secret + after).toString('base64');
      const out = mask(`Authorization: Basic ${whole} end`, [secret]);
      const left = Buffer.from(
        out.slice('Authorization: Basic '.length, -' end'.length).replaceAll('*', 'A'),
        'base64',
      ).toString('latin1');
      for (let n = 0; n + 4 <= secret.length; n++)
        assert.ok(!left.includes(secret.slice(n, n + 4)), `${left} shows a part of the secret`);
    }
  }
});

test('[S10] base64 that a program wraps at 76 columns is masked over its line ends', () => {
  const secret = 'x'.repeat(30) + Array.from({ length: 20 }, (_, n) => `key-${n * 7919}`).join('/');
  const lines = (
    Buffer.from(secret)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\n');
  const out = mask(`---\n${lines}\n---\n`, [secret]);
  assert.match(out, /^---\n[*\n]+---\n$/);
  for (let before = 30; before < 70; before++) {
    const short = `${'#'.repeat(before)}${'hunter22-hunter22'}${'#'.repeat(40)}`;
    const text = Buffer.from(
      `${(
        Buffer.from(short)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\r\n')}\n`,
    );
    const whole = mask(text.toString(), ['hunter22-hunter22']);
    assert.ok((whole.match(/[*]/g) ?? []).length >= 20, whole);
    for (let cut = 1; cut < text.length; cut += 7) {
      const { out: cutOut, ends } = stream(text, [cut], {
        values: [bytes('hunter22-hunter22')],
        patterns: [],
      });
      assert.equal(show(cutOut), whole);
      for (const end of ends)
        assert.equal(
          show(stream(text.subarray(end), [], { values: [bytes('hunter22-hunter22')], patterns: [] }).out),
          whole.slice(end),
        );
    }
  }
});

test("[S10] a line of a private key is masked on its own, a line end at the value's end is no part of it", () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const key = `-----BEGIN PRIVATE KEY-----\n${line}\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n-----END PRIVATE KEY-----\n`;
  assert.equal(mask(`> ${line}\n`, [key]), `> ${'*'.repeat(line.length)}\n`);
  assert.equal(mask('password=hunter22; next', ['hunter22\n']), 'password=********; next');
});

test('[S10] a value under four bytes or of more than 256 KiB is not masked, and that is said', () => {
  const redactor = createRedactor({
    values: [bytes('abc'), bytes('abcd'), bytes('\n\n\nab\n'), new Uint8Array(300_000).fill(65)],
    patterns: [],
  });
  assert.deepEqual(redactor.ignored, [
    { index: 0, reason: 'too_short' },
    { index: 3, reason: 'too_long' },
  ]);
  assert.equal(mask('abc abcd', ['abc', 'abcd']), 'abc ****');
});

test('[S10] a token born on the host is masked by its pattern, line by line, beside letters of any alphabet', () => {
  const pattern = '[a-z0-9]{6}\\.[a-z0-9]{16}';
  assert.equal(
    mask('join --token abcdef.0123456789abcdef now\n', [], [pattern]),
    `join --token ${'*'.repeat(23)} now\n`,
  );
  assert.equal(
    mask('secret_key=пароль-à end\n', [], ['secret_key=\\S+']),
    `${'*'.repeat(bytes('secret_key=пароль-à').length)} end\n`,
  );
  assert.equal(mask('ключ=1 ключ=2', [], ['ключ=\\d']), `${'*'.repeat(10)} ${'*'.repeat(10)}`);
  assert.throws(() => createRedactor({ values: [], patterns: ['('] }), /not a regular expression/);
});

test('[S10] nothing is held back but what may still become a secret', () => {
  const redactor = createRedactor({ values: [bytes('hunter22')], patterns: [] });
  assert.equal(show(redactor.push(bytes('hello\nask: h'))), 'hello\nask: ');
  assert.equal(show(redactor.push(bytes('ello\n'))), 'hello\n');
  assert.equal(show(redactor.push(bytes('hunter2'))), '');
  assert.equal(show(redactor.push(bytes('2!'))), '********!');
  assert.equal(show(redactor.push(bytes('hun'))), '');
  assert.equal(show(redactor.flush()), 'hun');
  const lines = createRedactor({ values: [], patterns: ['a{3}'] });
  assert.equal(show(lines.push(bytes('one\ntwo aa'))), 'one\n');
  assert.equal(show(lines.push(bytes('a\n'))), 'two ***\n');
  const endless = createRedactor({ values: [], patterns: ['a{3}'] });
  assert.ok(endless.push(new Uint8Array(100_000).fill(98)).length >= 100_000 - 8192);
});

test('[S10] a periodic secret in an endless repetition is masked and does not hold the stream back for ever', () => {
  const redactor = createRedactor({ values: [bytes('aaaa')], patterns: [] });
  let out = 0;
  for (let n = 0; n < 40; n++) {
    const part = redactor.push(new Uint8Array(8192).fill(97));
    assert.ok(part.every((byte) => byte === 0x2a));
    out += part.length;
  }
  assert.ok(out >= 40 * 8192 - 70_000);
});

const secretText = fc.oneof(
  fc.stringMatching(/^[a-c]{4,6}$/),
  fc.stringMatching(/^[A-Za-z0-9 "'\\/+&]{4,40}$/),
  fc.uint8Array({ minLength: 4, maxLength: 24 }).map((value) => Buffer.from(value).toString('latin1')),
);

test('[S10] however a stream is cut, no secret passes, and every place where output ended is safe to go on from', () => {
  fc.assert(
    fc.property(
      fc.array(secretText, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.stringMatching(/^[ a-cA-Z\n\r=]{0,12}$/), fc.nat(4), fc.nat(2), fc.boolean()), {
        maxLength: 8,
      }),
      fc.array(fc.nat(400), { maxLength: 12 }),
      (texts, pieces, rawCuts) => {
        const values = texts.map((text) => Buffer.from(text, 'latin1'));
        const secrets = { values, patterns: ['tok-[0-9]+'] };
        const text = Buffer.concat(
          pieces.flatMap(([between, form, which, coloured]) => {
            const value = values[which % values.length] as Buffer;
            const spelled = [
              value,
              Buffer.from(value.toString('base64')),
              Buffer.from(value.toString('hex')),
              Buffer.from('tok-1234'),
              Buffer.from(JSON.stringify(value.toString('latin1'))),
            ][form] as Buffer;
            const half = Math.floor(spelled.length / 2);
            const piece = coloured
              ? Buffer.concat([
                  spelled.subarray(0, half),
                  Buffer.from('\u001b[1;31m'),
                  spelled.subarray(half),
                ])
              : spelled;
            return [Buffer.from(between), piece];
          }),
        );
        const cuts = rawCuts.filter((cut) => cut < text.length).sort((a, b) => a - b);
        const whole = show(maskAll(text, secrets));
        const { out, ends } = stream(text, cuts, secrets);
        assert.equal(show(out), whole);
        assert.equal(out.length, text.length);
        for (const value of values) {
          const core = Buffer.from(value.toString('latin1').replace(/[\r\n]+$/, ''), 'latin1');
          if (core.length >= 4)
            assert.ok(
              !Buffer.from(out).includes(core) ||
                core.every((byte) => byte === 0x2a || byte === 10 || byte === 13),
            );
        }
        for (const end of ends)
          assert.equal(
            show(stream(text.subarray(end), [], secrets).out),
            whole.slice(end),
            `resumed at ${end}`,
          );
      },
    ),
    { numRuns: 1500 },
  );
});

test('[C18] masking is linear: 8 MiB with a dozen secrets, one of 6 KiB, in seconds', () => {
  const values = [
    bytes('k'.repeat(10) + 'v'.repeat(6000)),
    ...Array.from({ length: 11 }, (_, n) => bytes(`secret-number-${n}-${n * 7919}`)),
  ];
  const text = new Uint8Array(8 * 1024 * 1024).fill(0x6b);
  const started = process.hrtime.bigint();
  maskAll(text, { values, patterns: [] });
  assert.ok(Number(process.hrtime.bigint() - started) / 1e6 < 8000);
});
