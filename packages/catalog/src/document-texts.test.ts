import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderText, text } from '@capstan/model';
import { checkDocuments } from './check-documents.js';

const folder = new URL('./', import.meta.url);
const sources = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
const codes = new Set(
  sources.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/'(doc\.[a-z_]+)'/g)].map(
      (match) => match[1] ?? '',
    ),
  ),
);

test('everything that the catalog says has words in both languages', () => {
  assert.ok(codes.size > 40, `${codes.size}`);
  for (const code of codes)
    for (const locale of ['en', 'ru'] as const)
      assert.notEqual(renderText(text(code), locale), code, `${code} in ${locale}`);
});

test('a problem in words holds its arguments', () => {
  const [report] = checkDocuments([
    { file: 'f', text: 'job: {id: a, titel: b, run: {timeout: x}, risk: 1}' },
  ]);
  const said = report?.problems.map((problem) => renderText(problem.text));
  assert.deepEqual(said, ['unknown key titel in job', 'job.run.timeout cannot be x', 'job.risk cannot be 1']);
  for (const words of said ?? []) assert.doesNotMatch(words, /[?{}]/);
});
