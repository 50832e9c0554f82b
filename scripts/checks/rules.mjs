import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../launch/repository.mjs';

const rulesFile = 'packages/model/RULES.md';
// Ids of cases that are kept outside the rule list: faults, field reports, screens.
const caseId = /^(C\d+[a-z]?|V\d+[a-z]?|UX-[A-Z0-9]+(-[A-Z0-9]+)*)$/;
const idShape = /^([A-Z]{1,3}\d+[a-z]?|UX-[A-Z0-9-]+)$/;

/** Rule ids of RULES.md and the ids that test names quote as `[ID]` must be the same, but for known case ids. */
export async function run(root) {
  const file = join(root, rulesFile);
  if (!existsSync(file)) return [{ path: rulesFile, text: 'the list of rules is missing' }];
  const rules = readRules(readFileSync(file, 'utf8'));
  if (rules.size === 0) return [{ path: rulesFile, text: 'no line begins with a rule id' }];
  const quotes = listFiles(root)
    .filter((path) => /\.test\.(ts|mjs)$/.test(path))
    .flatMap((path) => quotedIds(path, readFileSync(join(root, path), 'utf8')));
  const quoted = new Set(quotes.map(({ id }) => id));
  return [
    ...[...rules]
      .filter(([id]) => !quoted.has(id))
      .map(([id, line]) => ({ path: rulesFile, line, text: `no test name quotes [${id}]` })),
    ...quotes
      .filter(({ id }) => !rules.has(id) && !caseId.test(id))
      .map(({ id, path, line }) => ({ path, line, text: `[${id}] stands in no line of ${rulesFile}` })),
  ];
}

/** Id → line, for each line that begins (after a list, heading or table mark) with an id. */
export function readRules(text) {
  const rules = new Map();
  text.split('\n').forEach((content, index) => {
    const id = content.match(/^\s*(?:[-*+|]|#{1,6})?\s*(?:\*\*|`|\[)*([A-Z][A-Z0-9-]*)\b/)?.[1];
    if (id && idShape.test(id) && !rules.has(id)) rules.set(id, index + 1);
  });
  return rules;
}

/** Every `[ID]` inside a string of a test file, lists such as `[S1, C10]` too. */
function quotedIds(path, text) {
  return text.split('\n').flatMap((content, index) => {
    const quote = content.search(/['"`]/);
    if (quote < 0) return [];
    return [...content.slice(quote).matchAll(/\[([A-Z][A-Z0-9-]*(?:,\s*[A-Z][A-Z0-9-]*)*)\]/g)]
      .flatMap((match) => match[1].split(/,\s*/))
      .filter((id) => idShape.test(id))
      .map((id) => ({ id, path, line: index + 1 }));
  });
}
