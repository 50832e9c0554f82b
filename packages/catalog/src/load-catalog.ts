import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pack, Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import { findCycle } from './cycle.js';
import { absentFolder, linkPack } from './load-pack.js';
import type { LoadedCatalog, LoadedPack } from './loaded-pack.js';
import { documentsOf, type PackDraft, readPackDraft } from './pack-draft.js';

/**
 * Every pack of some folders: each folder is a pack, when it holds `pack.yaml`, or a folder of packs. A pack with a
 * problem stays out, and so does whatever needs it; nothing is passed over in silence.
 */
export async function loadCatalog(dirs: readonly string[]): Promise<LoadedCatalog> {
  const problems: Problem[] = [];
  const drafts: PackDraft[] = [];
  for (const dir of dirs) {
    const absent = await absentFolder(dir);
    if (absent === null)
      for (const folder of await packFolders(dir)) drafts.push(await readPackDraft(folder));
    else problems.push(absent);
  }
  return linkAll(drafts, problems);
}

async function packFolders(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  if (entries.some((entry) => entry.name === 'pack.yaml')) return [dir];
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return folders.map((entry) => join(dir, entry.name)).sort();
}

function linkAll(drafts: readonly PackDraft[], problems: Problem[]): LoadedCatalog {
  const named = new Map<string, PackDraft>();
  const broken = new Set<string>();
  for (const draft of drafts) {
    const name = draft.head?.name;
    const first = name === undefined ? undefined : named.get(name);
    if (name === undefined) problems.push(...draft.problems);
    else if (first === undefined) named.set(name, draft);
    else problems.push(twice(draft, first, name));
  }
  const packs: LoadedPack[] = [];
  for (const draft of inNeedOrder(named, broken, problems)) {
    const linked = linkPack(
      draft,
      packs.map(({ pack }) => pack),
      broken,
    );
    if (linked.ok) packs.push(linked.value);
    else {
      problems.push(...linked.problems);
      if (draft.head !== null) broken.add(draft.head.name);
    }
  }
  return { catalog: { packs: packs.map(({ pack }): Pack => pack) }, packs, problems };
}

/** The drafts, needed ones first; those in a ring of needs are told and left out. */
function inNeedOrder(
  named: ReadonlyMap<string, PackDraft>,
  broken: Set<string>,
  problems: Problem[],
): readonly PackDraft[] {
  const needs = new Map(
    [...named].map(([name, { head }]) => [
      name,
      Object.keys(head?.needs ?? {}).filter((need) => need !== name),
    ]),
  );
  for (let ring = findCycle(needs); ring !== null; ring = findCycle(needs)) {
    for (const name of new Set(ring)) {
      const draft = named.get(name);
      needs.delete(name);
      broken.add(name);
      if (draft !== undefined)
        problems.push(
          headProblem(draft, 'cycle', 'doc.cycle', { path: ring.join(' → ') }, 'needs without a ring'),
        );
    }
  }
  const ordered = new Set<string>();
  const add = (name: string): void => {
    if (ordered.has(name) || !needs.has(name)) return;
    for (const need of needs.get(name) ?? []) add(need);
    ordered.add(name);
  };
  for (const name of needs.keys()) add(name);
  return [...ordered].flatMap((name) => named.get(name) ?? []);
}

function twice(draft: PackDraft, first: PackDraft, name: string): Problem {
  const problem = headProblem(
    draft,
    'duplicate_id',
    'doc.duplicate_id',
    { what: 'pack', name },
    'each pack once',
  );
  const place = headPlace(first);
  return place === undefined ? problem : { ...problem, alsoAt: [place] };
}

function headProblem(
  draft: PackDraft,
  code: Problem['code'],
  textCode: string,
  args: Record<string, string>,
  expected: string,
): Problem {
  const place = headPlace(draft);
  return { code, text: words(textCode, args), ...(place && { place }), expected };
}

function headPlace(draft: PackDraft): Problem['place'] {
  const head = documentsOf(draft.documents, 'pack').find(({ normal }) => normal.pack !== undefined);
  return head?.checked.place(['pack', 'name']);
}
