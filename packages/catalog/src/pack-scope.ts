import type { Check, Job, Pack } from '@capstan/model';
import { splitName } from './name-parts.js';
import type { NormalArtifactType, NormalCapabilityType } from './normal-documents.js';
import { documentsOf, type PackDraft, type PlacedCheck, type PlacedJob } from './pack-draft.js';
import { declarations, type Referent } from './references.js';

/** The resource type of machines: what `host` means in a contract (S14). */
export const HOST_TYPE = 'node';

/** What a name stands for, as far as rules across documents need it. */
export interface Declared {
  readonly pack: string;
  readonly name: string;
}
export interface DeclaredCapability extends Declared {
  readonly of: string | null;
  readonly impliedBy: string | null;
}
export interface DeclaredArtifact extends Declared {
  readonly of: string;
  readonly sensitive: boolean;
}

/** A job of this pack as a document, or of another one as loaded. */
export type ScopedJob =
  | { readonly own: true; readonly pack: string; readonly job: PlacedJob }
  | { readonly own: false; readonly pack: string; readonly job: Job };
export type ScopedCheck =
  | { readonly own: true; readonly pack: string; readonly check: PlacedCheck }
  | { readonly own: false; readonly pack: string; readonly check: Check };

/** How many packs deep bare names of jobs and checks resolve: only their own pack, others are `pack:name`. */
const OWN_ONLY: ReadonlySet<Referent> = new Set(['job', 'check', 'script']);

/**
 * Names as one pack sees them (S30): its own, `pack:name` of a pack that it reaches through `needs`, and bare names of
 * capabilities, artifacts, types and scenarios of those packs.
 */
export class PackScope {
  readonly name: string;
  private readonly tables = new Map<Referent, Map<string, Set<string>>>();

  constructor(
    private readonly draft: PackDraft,
    private readonly reach: readonly Pack[],
  ) {
    this.name = draft.head?.name ?? '';
    for (const document of draft.documents)
      for (const { what, name } of declarations(document)) this.declare(what, this.name, name);
    for (const path of draft.folder.files.keys()) this.declare('script', this.name, path);
    for (const pack of reach) this.declarePack(pack);
  }

  has(what: Referent, reference: string): boolean {
    if (what === 'output') return this.has('capability', reference) || this.has('artifact', reference);
    if (what === 'pack') return this.reach.some((pack) => pack.name === reference);
    // Machines are enrolled without any pack; the pack `host` only says what is known of them.
    if (what === 'resource_type' && reference === HOST_TYPE) return true;
    return this.owner(what, reference) !== null;
  }

  /** Name of the pack that declares it, as this pack sees it. */
  owner(what: Referent, reference: string): string | null {
    const { pack, name } = splitName(reference);
    const packs = this.tables.get(what)?.get(name);
    if (packs === undefined) return null;
    if (pack !== null) return packs.has(pack) ? pack : null;
    if (packs.has(this.name)) return this.name;
    return OWN_ONLY.has(what) ? null : ([...packs][0] ?? null);
  }

  /** Every name of the kind, as it would be written here. */
  names(what: Referent): readonly string[] {
    if (what === 'output') return [...this.names('capability'), ...this.names('artifact')];
    if (what === 'pack') return this.reach.map((pack) => pack.name);
    return [...(this.tables.get(what) ?? [])].flatMap(([name, packs]) =>
      [...packs].map((pack) => (pack === this.name || !OWN_ONLY.has(what) ? name : `${pack}:${name}`)),
    );
  }

  capability(reference: string): DeclaredCapability | null {
    const owner = this.owner('capability', reference);
    const { name } = splitName(reference);
    if (owner === null) return null;
    if (owner === this.name) {
      const own = this.ownParts<NormalCapabilityType>('capabilities').find(({ id }) => id === name);
      return own === undefined
        ? null
        : { pack: owner, name, of: own.of ?? null, impliedBy: own.implied_by ?? null };
    }
    const other = this.pack(owner)?.capabilities.find(({ id }) => id === name);
    return other === undefined
      ? null
      : { pack: owner, name, of: other.of, impliedBy: other.impliedBy ?? null };
  }

  artifact(reference: string): DeclaredArtifact | null {
    const owner = this.owner('artifact', reference);
    const { name } = splitName(reference);
    if (owner === null) return null;
    if (owner === this.name) {
      const own = this.ownParts<NormalArtifactType>('artifacts').find((type) => type.name === name);
      return own === undefined ? null : { pack: owner, name, of: own.of, sensitive: own.sensitive === true };
    }
    const other = this.pack(owner)?.artifacts.find((type) => type.name === name);
    return other === undefined ? null : { pack: owner, name, of: other.of, sensitive: other.sensitive };
  }

  job(reference: string): ScopedJob | null {
    const owner = this.owner('job', reference);
    const { name } = splitName(reference);
    if (owner === null) return null;
    if (owner === this.name) {
      const job = documentsOf(this.draft.documents, 'job').find(({ normal }) => normal.job.id === name);
      return job === undefined ? null : { own: true, pack: owner, job };
    }
    const job = this.pack(owner)?.jobs.find(({ id }) => id === name);
    return job === undefined ? null : { own: false, pack: owner, job };
  }

  check(reference: string): ScopedCheck | null {
    const owner = this.owner('check', reference);
    const { name } = splitName(reference);
    if (owner === null) return null;
    if (owner === this.name) {
      const check = documentsOf(this.draft.documents, 'check').find(({ normal }) => normal.check.id === name);
      return check === undefined ? null : { own: true, pack: owner, check };
    }
    const check = this.pack(owner)?.checks.find(({ id }) => id === name);
    return check === undefined ? null : { own: false, pack: owner, check };
  }

  private pack(name: string): Pack | undefined {
    return this.reach.find((pack) => pack.name === name);
  }

  private ownParts<T>(key: 'capabilities' | 'artifacts'): readonly T[] {
    return documentsOf(this.draft.documents, 'pack').flatMap(
      ({ normal }) => (normal[key] ?? []) as unknown as readonly T[],
    );
  }

  private declare(what: Referent, pack: string, name: string): void {
    const table = this.tables.get(what) ?? new Map<string, Set<string>>();
    this.tables.set(what, table.set(name, (table.get(name) ?? new Set()).add(pack)));
  }

  private declarePack(pack: Pack): void {
    for (const { id } of pack.jobs) this.declare('job', pack.name, id);
    for (const { id } of pack.checks) this.declare('check', pack.name, id);
    for (const { id } of pack.scenarios) this.declare('scenario', pack.name, id);
    for (const { id } of pack.resourceTypes) this.declare('resource_type', pack.name, id);
    for (const { id } of pack.capabilities) this.declare('capability', pack.name, id);
    for (const { name } of pack.artifacts) this.declare('artifact', pack.name, name);
  }
}
