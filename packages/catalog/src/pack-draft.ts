import { join } from 'node:path';
import type { Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import { type CheckedDocument, judgeDocument } from './checked-document.js';
import { checkDocumentRules } from './document-rules.js';
import type { NormalDocument, NormalPackHead, NormalPackParts } from './normal-documents.js';
import { parseYaml } from './parse-yaml.js';
import { type PackFolder, readFolder } from './read-folder.js';

/** A sound document of a pack with its places. */
export type Placed<D extends NormalDocument = NormalDocument> = D & { readonly checked: CheckedDocument };
export type PlacedJob = Placed<Extract<NormalDocument, { kind: 'job' }>>;
export type PlacedCheck = Placed<Extract<NormalDocument, { kind: 'check' }>>;
export type PlacedScenario = Placed<Extract<NormalDocument, { kind: 'scenario' }>>;

/** A pack's folder read and each document judged by itself. */
export interface PackDraft {
  readonly folder: PackFolder;
  readonly documents: readonly Placed[];
  /** Null when no document says which pack this is. */
  readonly head: NormalPackHead | null;
  readonly problems: readonly Problem[];
}

/** Reads and judges every document of a pack's folder. */
export async function readPackDraft(dir: string): Promise<PackDraft> {
  const folder = await readFolder(dir);
  const problems: Problem[] = [...folder.problems];
  const documents: Placed[] = [];
  for (const { file, text } of folder.documents) {
    const parsed = parseYaml(text, file);
    problems.push(...parsed.problems);
    for (const source of parsed.documents) {
      const checked = judgeDocument(source);
      problems.push(...checked.problems, ...checkDocumentRules(checked));
      if (checked.document !== null) documents.push({ ...checked.document, checked });
    }
  }
  const heads = documentsOf(documents, 'pack').filter(({ normal }) => normal.pack !== undefined);
  const [first, second] = heads;
  if (second !== undefined) {
    problems.push({
      code: 'duplicate_id',
      text: words('doc.duplicate_id', { what: 'pack', name: second.normal.pack?.name ?? '' }),
      place: second.checked.place(['pack']),
      alsoAt: first === undefined ? [] : [first.checked.place(['pack'])],
      expected: 'one pack in a folder',
    });
  }
  if (first === undefined && problems.length === 0) problems.push(noHead(dir, folder));
  return { folder, documents, head: first?.normal.pack ?? null, problems };
}

/** The documents of one kind. */
export function documentsOf<K extends NormalDocument['kind']>(
  documents: readonly Placed[],
  kind: K,
): readonly Placed<Extract<NormalDocument, { kind: K }>>[] {
  return documents.filter((document) => document.kind === kind) as unknown as Placed<
    Extract<NormalDocument, { kind: K }>
  >[];
}

/** The declarations of all pack documents of a draft, one after the other. */
export function declaredBy<K extends 'resource_types' | 'capabilities' | 'artifacts'>(
  draft: PackDraft,
  key: K,
): readonly NonNullable<NormalPackParts[K]>[number][] {
  return documentsOf(draft.documents, 'pack').flatMap(
    ({ normal }) => (normal[key] ?? []) as NonNullable<NormalPackParts[K]>[number][],
  );
}

function noHead(dir: string, folder: PackFolder): Problem {
  const place = { file: join(dir, 'pack.yaml'), line: 1, column: 1 };
  return folder.documents.length === 0
    ? {
        code: 'no_documents',
        text: words('doc.empty_pack', { dir }),
        place,
        expected: 'a folder with pack.yaml',
      }
    : {
        code: 'incomplete',
        text: words('doc.incomplete', { what: 'pack', missing: 'key pack' }),
        place,
        expected: 'pack: {name, version} in pack.yaml',
      };
}
