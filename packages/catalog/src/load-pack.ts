import { stat } from 'node:fs/promises';
import type { Outcome, Pack, Problem, Text } from '@capstan/model';
import { ok, refused, text as words } from '@capstan/model';
import { buildPack } from './build-pack.js';
import { inOrder } from './check-documents.js';
import type { LoadedPack } from './loaded-pack.js';
import { documentsOf, type PackDraft, readPackDraft } from './pack-draft.js';
import { checkForeignNames, checkPackDraft } from './pack-rules.js';
import { PackScope } from './pack-scope.js';
import { resolveNeeds } from './resolve-needs.js';
import { checkScenarioSubjects } from './scenario-subjects.js';
import { checkScripts } from './script-rules.js';

/**
 * Reads and checks one pack. `available` are the packs that its `needs:` may resolve to, and whose names it must not
 * take. Refused with every problem, each with its place, when anything is wrong or missing.
 */
export async function loadPack(dir: string, available: readonly Pack[] = []): Promise<Outcome<LoadedPack>> {
  const absent = await absentFolder(dir);
  if (absent !== null) return refused(absent);
  return linkPack(await readPackDraft(dir), available);
}

/** The pack of a draft, linked to the packs that it needs; `broken` are needed packs that have problems themselves. */
export function linkPack(
  draft: PackDraft,
  available: readonly Pack[],
  broken: ReadonlySet<string> = new Set(),
): Outcome<LoadedPack> {
  const needs = resolveNeeds(draft, available, broken);
  const scope = new PackScope(draft, needs.reach);
  const problems: Problem[] = [...draft.problems, ...checkScripts(draft), ...needs.problems];
  // A document that cannot be read declares nothing: whatever names it would be a problem of its own.
  if (draft.problems.length === 0) problems.push(...checkForeignNames(draft, available));
  if (draft.problems.length === 0 && needs.problems.length === 0) {
    problems.push(...checkPackDraft(draft, scope));
    for (const scenario of documentsOf(draft.documents, 'scenario'))
      problems.push(...checkScenarioSubjects(scenario, scope));
  }
  if (problems.length > 0) return refused(...byFile(problems));
  return ok({
    pack: buildPack(draft, scope),
    dir: draft.folder.dir,
    bytes: draft.folder.files,
    notes: notes(draft),
  });
}

/** The problem of a folder that is not there; null when it is. */
export async function absentFolder(dir: string): Promise<Problem | null> {
  const found = await stat(dir).catch((error: NodeJS.ErrnoException) => error);
  if (!(found instanceof Error) && found.isDirectory()) return null;
  const detail = found instanceof Error ? (found.code ?? found.message) : 'not a folder';
  return {
    code: 'missing_file',
    text: words('doc.no_folder', { dir, detail }),
    place: { file: dir, line: 1, column: 1 },
    expected: 'a folder that can be read',
  };
}

function byFile(problems: readonly Problem[]): readonly Problem[] {
  const files = [...new Set(problems.map(({ place }) => place?.file ?? ''))].sort();
  const unique = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return files.flatMap((file) =>
    inOrder([...unique.values()].filter(({ place }) => (place?.file ?? '') === file)),
  );
}

/** What a person should know of a pack that loads: parts that nothing executes yet, rights that it does not list. */
function notes(draft: PackDraft): readonly Text[] {
  const folders = ['failures', 'tests'].filter((folder) =>
    Object.keys(draft.folder.hashes).some((path) => path.startsWith(`${folder}/`)),
  );
  const prefers = draft.head?.prefer !== undefined && Object.keys(draft.head.prefer).length > 0;
  const others = [...folders, ...(prefers ? ['prefer'] : [])].map((part) =>
    words('doc.not_executed', { part }),
  );
  const listsRights = documentsOf(draft.documents, 'pack').some(
    ({ normal }) => normal.permissions !== undefined,
  );
  const users = documentsOf(draft.documents, 'job').flatMap(({ normal }) => normal.job.run?.as ?? []);
  const [user] = listsRights ? [] : users;
  return user === undefined ? others : [...others, words('doc.undeclared_rights', { user })];
}
