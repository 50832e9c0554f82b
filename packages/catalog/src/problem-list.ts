import type { Problem, ProblemCode } from '@capstan/model';
import { text as words } from '@capstan/model';
import type { CheckedDocument } from './checked-document.js';
import { nearest } from './nearest.js';
import type { Path } from './source-document.js';

interface More {
  /** Point at the key instead of the value. */
  readonly atKey?: boolean;
  /** Other places of the same document. */
  readonly alsoAt?: readonly Path[];
}

/**
 * Problems told per document. Places and nearest names cost a walk each, and a document can be wrong in ten thousand
 * places.
 */
const MAX_PROBLEMS = 100;

/** The problems of one document, in the words and places of its normal form. */
export class ProblemList {
  readonly problems: Problem[] = [];

  constructor(readonly document: CheckedDocument) {}

  add(
    code: ProblemCode,
    textCode: string,
    args: Record<string, string | number>,
    path: Path,
    expected: string | (() => string),
    more: More = {},
  ): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const place = more.atKey ? this.document.keyPlace(path) : this.document.place(path);
    const alsoAt = more.alsoAt?.map((other) => this.document.place(other));
    this.problems.push({
      code,
      text: words(textCode, args),
      place,
      ...(alsoAt && { alsoAt }),
      expected: typeof expected === 'string' ? expected : expected(),
    });
  }

  /** A name that nothing bears, with the nearest one that something does. */
  unknown(what: string, name: string, path: Path, known: Iterable<string>): void {
    this.add('unknown_reference', 'doc.unknown_reference', { what, name }, path, () =>
      expectedName(name, known, what),
    );
  }

  /** The second of two equal names. */
  duplicate(what: string, name: string, path: Path, first: Path): void {
    this.add('duplicate_id', 'doc.duplicate_id', { what, name }, path, `each ${what} once`, {
      alsoAt: [first],
    });
  }

  /** Names that stand twice in a list. */
  noneTwice(what: string, names: readonly string[], pathOf: (index: number) => Path): void {
    const seen = new Map<string, number>();
    names.forEach((name, index) => {
      const first = seen.get(name);
      if (first === undefined) seen.set(name, index);
      else this.duplicate(what, name, pathOf(index), pathOf(first));
    });
  }
}

const MAX_LISTED = 12;

/** `did you mean X?`, else the names there are, else that there is none. */
export function expectedName(name: string, known: Iterable<string>, what: string): string {
  const names = [...known];
  const near = nearest(name, names);
  if (near !== null) return `did you mean ${near}?`;
  if (names.length === 0) return `there is no ${what} here`;
  const listed = names.sort().slice(0, MAX_LISTED).join(', ');
  return `one of ${listed}${names.length > MAX_LISTED ? ', …' : ''}`;
}
