import type { JsonValue, Problem } from '@capstan/model';
import { type CheckedDocument, judgeDocument } from './checked-document.js';
import { missingKeys } from './completeness.js';
import type { DocumentReport } from './document-report.js';
import { checkDocumentRules } from './document-rules.js';
import { parseYaml } from './parse-yaml.js';
import { declarations, type Reference, type Referent, references } from './references.js';

/** A file to check: the name that problems show, and its text. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** What is known beside the documents themselves: `<what> <name>` or `<what> <pack>:<name>`, as in `missing`. */
export type Surroundings = ReadonlySet<string>;

const NOTHING: Surroundings = new Set();

/**
 * Checks documents: kind, normal form, what is wrong, and what is missing in and around them. A name is known when one
 * of the documents, or what is around them, declares it. Never throws on any text.
 */
export function checkDocuments(
  files: readonly SourceText[],
  around: Surroundings = NOTHING,
): readonly DocumentReport[] {
  const read = files.map(({ file, text }) => ({ file, parsed: parseYaml(text, file) }));
  const judged = read.map(({ file, parsed }) => ({
    file,
    problems: parsed.problems,
    documents: parsed.documents.map(judgeDocument),
  }));
  const known = new Set(around);
  for (const { documents } of judged)
    for (const { document } of documents)
      if (document !== null)
        for (const { what, name } of declarations(document)) known.add(`${what} ${name}`);
  return judged.flatMap(({ file, problems, documents }) => {
    const reports = documents.map((document) => report(document, known));
    // What belongs to no document still needs an entry: no file is passed over in silence.
    return problems.length === 0 ? reports : [broken(file, problems), ...reports];
  });
}

function report(checked: CheckedDocument, known: ReadonlySet<string>): DocumentReport {
  const { file, kind, document } = checked;
  const problems = inOrder([...checked.problems, ...checkDocumentRules(checked)]);
  const missing =
    document === null
      ? []
      : [
          ...missingKeys(document).map((key) => `key ${key}`),
          ...references(document)
            .filter((reference) => !isKnown(reference, known))
            .map(nameReference),
        ];
  return {
    file,
    kind,
    complete: document !== null && problems.length === 0 && missing.length === 0,
    normal: problems.length === 0 && document !== null ? (document.normal as unknown as JsonValue) : null,
    missing: [...new Set(missing)],
    problems,
  };
}

function broken(file: string, problems: readonly Problem[]): DocumentReport {
  return { file, kind: 'unknown', complete: false, normal: null, missing: [], problems };
}

function isKnown({ what, name }: Reference, known: ReadonlySet<string>): boolean {
  const kinds: readonly Referent[] = what === 'output' ? ['capability', 'artifact'] : [what];
  return kinds.some((kind) => known.has(`${kind} ${name}`));
}

function nameReference({ what, name }: Reference): string {
  // Which of the two it is nobody can say; names with a credential in them are rare, dotted ones are capabilities.
  if (what === 'output') return `capability ${name}`;
  return `${what} ${name}`;
}

/** Problems from the top of the document to its end. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const key = ({ place }: Problem): number =>
    place === undefined ? 0 : place.line * 1_000_000 + place.column;
  return [...problems].sort((a, b) => key(a) - key(b));
}
