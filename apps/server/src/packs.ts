import { loadCatalog } from '@capstan/catalog';
import type { ControlPlane } from '@capstan/engine';
import { type Actor, type Outcome, type Problem, refused, text } from '@capstan/model';

/** `<name>@<version>` of the packs in use, and what kept other packs out. */
export interface UsedPacks {
  readonly packs: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Reads every pack folder and makes the packs the catalog of new plans. `strict` (a person asked for it) refuses all on
 * the first problem and leaves the active catalog; at a start the sound packs are used, since operations wait for a
 * server whose packs somebody broke.
 */
export async function usePackFolders(
  control: ControlPlane,
  actor: Actor,
  folders: readonly string[],
  mode: 'strict' | 'sound_ones',
): Promise<Outcome<UsedPacks>> {
  const { packs, problems } = await loadCatalog(folders);
  if (mode === 'strict' && problems.length > 0) return refused(...problems);
  if (packs.length === 0) {
    const none: Problem = { code: 'no_documents', text: text('packs.none', { folders: folders.join(', ') }) };
    return refused(...problems, none);
  }
  const used = await control.usePacks(actor, packs);
  if (!used.ok) return used;
  return { ok: true, value: { packs: used.value.map((pack) => `${pack.name}@${pack.version}`), problems } };
}
