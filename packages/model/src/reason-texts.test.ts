import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REASON_CODES } from './reason.js';
import { renderReason, renderText } from './render.js';
import { ENGINE_TEXTS, REASON_TEXTS } from './render-engine.js';

test('[L11] every reason code has words in both languages, with the same arguments', () => {
  for (const code of REASON_CODES) {
    const texts = REASON_TEXTS[code];
    assert.ok(texts, `no words for ${code}`);
    assert.deepEqual(placeholders(texts.ru), placeholders(texts.en), code);
  }
  for (const [code, texts] of Object.entries(ENGINE_TEXTS))
    assert.deepEqual(placeholders(texts.ru), placeholders(texts.en), code);
});

test('[L11] a reason is rendered with its arguments, and an unknown code still says them', () => {
  assert.equal(renderReason({ code: 'exit_code', args: { exitCode: 7 } }), 'ended with exit code 7');
  assert.equal(renderReason({ code: 'exit_code', args: { exitCode: 7 } }, 'ru'), 'завершилось с кодом 7');
  assert.equal(
    renderReason({ code: 'exit_code', args: { exitCode: 3, said: ': no route\n to mirror' } }),
    'ended with exit code 3: no route / to mirror',
  );
  assert.equal(renderText({ code: 'of.the_future', args: { n: 1 } }), 'of.the_future {"n":1}');
});

function placeholders(template: string): string[] {
  return [...template.matchAll(/\{(\w+[?!]?)\}/g)].map((m) => m[1] ?? '').sort();
}
