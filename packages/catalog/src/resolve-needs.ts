import type { Pack, Problem } from '@capstan/model';
import { versionInRange, text as words } from '@capstan/model';
import { documentsOf, type PackDraft } from './pack-draft.js';
import { expectedName } from './problem-list.js';

/** The packs that `needs:` resolves to, with everything they need in turn, nearest first. */
export interface ResolvedNeeds {
  readonly reach: readonly Pack[];
  readonly problems: readonly Problem[];
}

/** Finds the needed packs among the available ones, by name and semver range. */
export function resolveNeeds(
  draft: PackDraft,
  available: readonly Pack[],
  broken: ReadonlySet<string> = new Set(),
): ResolvedNeeds {
  const byName = new Map(available.map((pack) => [pack.name, pack]));
  const problems: Problem[] = [];
  const needs = draft.head?.needs ?? {};
  const head = documentsOf(draft.documents, 'pack').find(({ normal }) => normal.pack !== undefined);
  for (const [name, range] of Object.entries(needs)) {
    const place = head?.checked.keyPlace(['pack', 'needs', name]);
    const report = (
      textCode: string,
      args: Record<string, string>,
      expected: string,
      code: Problem['code'] = 'unknown_reference',
    ) => problems.push({ code, text: words(textCode, args), ...(place && { place }), expected });
    const pack = byName.get(name);
    const fits = pack === undefined ? null : versionInRange(pack.version, range);
    if (name === draft.head?.name) report('doc.needs_itself', { name }, 'other packs', 'cycle');
    else if (broken.has(name)) report('doc.need_broken', { name }, `the pack ${name} without problems`);
    else if (pack === undefined)
      report('doc.unknown_reference', { what: 'pack', name }, expectedName(name, byName.keys(), 'pack'));
    else if (fits === null)
      report('doc.invalid_range', { range }, 'a version range such as ^1', 'invalid_value');
    else if (!fits)
      report(
        'doc.need_version',
        { name, range, found: pack.version },
        `${name} in a version that ${range} allows`,
      );
  }
  return { reach: reachable(Object.keys(needs), byName), problems };
}

function reachable(start: readonly string[], byName: ReadonlyMap<string, Pack>): readonly Pack[] {
  const names = new Set(start);
  for (const name of names) for (const need of Object.keys(byName.get(name)?.needs ?? {})) names.add(need);
  return [...names].flatMap((name) => byName.get(name) ?? []);
}
