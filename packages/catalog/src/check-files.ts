import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import { checkDocuments, type SourceText } from './check-documents.js';
import type { DocumentReport } from './document-report.js';
import { type PackDraft, readPackDraft } from './pack-draft.js';
import { decodeText } from './read-folder.js';
import { declarations } from './references.js';
import { YAML_LIMITS } from './yaml-limits.js';

/** How many folders above a document its pack may begin. */
const PACK_DEPTH = 3;

/**
 * Reads and checks files, and every document below folders. A document inside a pack's folder is checked with that
 * pack, and the packs beside it, around it. A path that cannot be read, or holds nothing, is an entry with a problem.
 */
export async function checkFiles(paths: readonly string[]): Promise<readonly DocumentReport[]> {
  const reports: DocumentReport[] = [];
  const groups = new Map<string, SourceText[]>();
  for (const path of paths) {
    const { sources, refusals } = await readPath(path);
    reports.push(...refusals);
    for (const source of sources) {
      const root = (await packRoot(source.file)) ?? '';
      groups.set(root, [...(groups.get(root) ?? []), source]);
    }
  }
  for (const [root, sources] of groups)
    reports.push(...checkDocuments(sources, root === '' ? new Set() : await surroundings(root)));
  const order = new Map([...groups.values()].flat().map(({ file }, index) => [file, index]));
  return reports.sort((a, b) => (order.get(a.file) ?? -1) - (order.get(b.file) ?? -1));
}

interface PathRead {
  readonly sources: readonly SourceText[];
  readonly refusals: readonly DocumentReport[];
}

async function readPath(path: string): Promise<PathRead> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    return broken(
      path,
      'missing_file',
      'doc.unreadable',
      { path, detail: found.code ?? found.message },
      'a file or folder that can be read',
    );
  if (found.isDirectory()) return readDirectory(path);
  if (!found.isFile()) return broken(path, 'invalid_value', 'doc.not_a_file', { path }, 'a file or a folder');
  if (found.size > YAML_LIMITS.bytes)
    return broken(
      path,
      'document_too_large',
      'doc.document_too_large',
      { what: 'bytes', limit: YAML_LIMITS.bytes },
      `at most ${YAML_LIMITS.bytes} bytes`,
    );
  const text = decodeText(await readFile(path));
  return text === null
    ? broken(path, 'invalid_yaml', 'doc.invalid_yaml', { detail: 'bytes that are no UTF-8' }, 'UTF-8')
    : { sources: [{ file: path, text }], refusals: [] };
}

async function readDirectory(path: string): Promise<PathRead> {
  const entries = await readdir(path, { recursive: true });
  const files = entries.filter(
    (entry) => /\.(ya?ml|json)$/.test(entry) && !/(^|\/)(files|node_modules|\.[^/]*)\//.test(entry),
  );
  if (files.length === 0)
    return broken(path, 'no_documents', 'doc.no_documents', {}, 'a folder with YAML or JSON documents');
  const read: PathRead[] = [];
  for (const file of files.sort()) read.push(await readPath(join(path, file)));
  return {
    sources: read.flatMap(({ sources }) => sources),
    refusals: read.flatMap(({ refusals }) => refusals),
  };
}

async function packRoot(file: string): Promise<string | null> {
  let folder = dirname(resolve(file));
  for (let depth = 0; depth < PACK_DEPTH; depth++) {
    const head = await stat(join(folder, 'pack.yaml')).catch(() => null);
    if (head?.isFile()) return folder;
    folder = dirname(folder);
  }
  return null;
}

/** Every name that a pack and the packs beside it declare. */
async function surroundings(root: string): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const own = await readPackDraft(root);
  for (const path of own.folder.files.keys()) known.add(`script ${path}`);
  declare(own, known, true);
  for (const entry of await readdir(dirname(root), { withFileTypes: true })) {
    const folder = join(dirname(root), entry.name);
    if (!entry.isDirectory() || folder === root) continue;
    const head = await stat(join(folder, 'pack.yaml')).catch(() => null);
    if (head?.isFile()) declare(await readPackDraft(folder), known, false);
  }
  return known;
}

function declare(draft: PackDraft, known: Set<string>, own: boolean): void {
  for (const document of draft.documents)
    for (const { what, name } of declarations(document)) {
      known.add(`${what} ${draft.head?.name}:${name}`);
      if (own || (what !== 'job' && what !== 'check')) known.add(`${what} ${name}`);
    }
}

function broken(
  file: string,
  code: 'missing_file' | 'invalid_value' | 'document_too_large' | 'invalid_yaml' | 'no_documents',
  textCode: string,
  args: Record<string, string | number>,
  expected: string,
): PathRead {
  const place = { file, line: 1, column: 1 };
  const problem: Problem = { code, text: words(textCode, args), place, expected };
  return {
    sources: [],
    refusals: [{ file, kind: 'unknown', complete: false, normal: null, missing: [], problems: [problem] }],
  };
}
