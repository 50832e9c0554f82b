import type { JsonValue, Place, Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import { checkShape } from './check-shape.js';
import { DOCUMENT_KEYS, documentKind } from './document-kind.js';
import type { DocumentKind } from './document-report.js';
import { nearest } from './nearest.js';
import type { NormalDocument } from './normal-documents.js';
import { INTENT_KEYS, normalise } from './normalise.js';
import { rawPath } from './raw-path.js';
import type { Path, SourceDocument } from './source-document.js';

/** A document whose shape has been judged; `document` is its normal form when nothing is wrong with the shape. */
export interface CheckedDocument {
  readonly file: string;
  readonly kind: DocumentKind | 'unknown';
  readonly document: NormalDocument | null;
  readonly problems: readonly Problem[];
  /** Place of a value of the normal form; of the nearest thing that stands in the text. */
  place(path: Path): Place;
  /** Place of the key of a value of the normal form. */
  keyPlace(path: Path): Place;
}

/** Judges kind and shape of a document and brings it to its normal form. */
export function judgeDocument(source: SourceDocument): CheckedDocument {
  const kind = documentKind(source.value);
  const problems = [...source.problems];
  if (!source.broken) {
    if (kind === 'unknown') problems.push(unknownDocument(source));
    else problems.push(...checkShape(kind, source), ...checkSpelling(kind, source));
  }
  const sound = kind !== 'unknown' && problems.length === 0;
  return {
    file: source.file,
    kind,
    document: sound ? normalise(kind, source.value) : null,
    problems,
    place: (path) => source.place(rawPath(kind, source.value, path)),
    keyPlace: (path) => source.keyPlace(rawPath(kind, source.value, path)),
  };
}

/** What two spellings of one thing, or a parameter that looks like a fixed key, get wrong; no schema can say it. */
function checkSpelling(kind: DocumentKind, source: SourceDocument): readonly Problem[] {
  if (kind === 'intent') return checkIntentKeys(source);
  const base: Path = kind === 'job' ? ['job'] : [];
  return kind === 'job' || kind === 'contract' ? checkTwins(source, base) : [];
}

function checkTwins(source: SourceDocument, base: Path): readonly Problem[] {
  const twins = [
    ['inputs', 'requires', 'capabilities'],
    ['inputs', 'requires', 'artifacts'],
    ['outputs', 'provides', 'capabilities'],
    ['outputs', 'provides', 'artifacts'],
    ['outputs', 'provides', 'evidence'],
  ] as const;
  return twins.flatMap(([side, inner, list]): Problem[] => {
    const short = [...base, side, list];
    const long = [...base, side, inner, list];
    if (source.depthOf(short) < short.length || source.depthOf(long) < long.length) return [];
    return [
      {
        code: 'duplicate_key',
        text: words('doc.two_spellings', { short: `${side}.${list}`, long: `${side}.${inner}.${list}` }),
        place: source.keyPlace(long),
        alsoAt: [source.keyPlace(short)],
        expected: `one of ${side}.${list} and ${side}.${inner}.${list}`,
      },
    ];
  });
}

/** Shorter keys are near to too many good words: `host` is a fine name of a parameter. */
const LEAST_TYPO = 6;

function checkIntentKeys(source: SourceDocument): readonly Problem[] {
  const { intent } = source.value as { intent?: Readonly<Record<string, JsonValue>> };
  if (intent === null || typeof intent !== 'object') return [];
  const desired = intent.desired_result;
  const inside = desired !== null && typeof desired === 'object' && !Array.isArray(desired) ? desired : {};
  return Object.entries(intent).flatMap(([key, value]): Problem[] => {
    if (INTENT_KEYS.includes(key)) return [];
    const place = source.keyPlace(['intent', key]);
    if (Object.hasOwn(inside, key) && JSON.stringify(inside[key]) !== JSON.stringify(value))
      return [
        {
          code: 'duplicate_key',
          text: words('doc.parameter_twice', { key }),
          place,
          alsoAt: [source.keyPlace(['intent', 'desired_result', key])],
          expected: `${key} once: beside action, or in desired_result`,
        },
      ];
    const near = key.length < LEAST_TYPO ? null : nearest(key, INTENT_KEYS);
    if (near === null) return [];
    return [
      {
        code: 'unknown_key',
        text: words('doc.unknown_key', { key, where: 'intent' }),
        place,
        expected: `did you mean ${near}? A parameter of this name goes into desired_result`,
      },
    ];
  });
}

function unknownDocument(source: SourceDocument): Problem {
  const keys =
    source.value !== null && typeof source.value === 'object' && !Array.isArray(source.value)
      ? Object.keys(source.value)
      : [];
  const near = keys.map((key) => nearest(key, DOCUMENT_KEYS)).find((key) => key !== null);
  const [first] = keys;
  return {
    code: 'unknown_document',
    text: words('doc.unknown_document'),
    place: first === undefined ? source.place([]) : source.keyPlace([first]),
    expected:
      near === undefined
        ? `a document that begins with one of ${DOCUMENT_KEYS.join(', ')}`
        : `did you mean ${near}?`,
  };
}
