import type {
  ArtifactType,
  CapabilityType,
  Catalog,
  Check,
  Job,
  Pack,
  ResourceType,
  Scenario,
} from '@capstan/model';
import { qualified } from '@capstan/model';

/** The catalog arranged for look-ups by name, as a pack sees it: its own names, `pack:name`, and bare names through `needs` (S30). */
export interface CatalogIndex {
  readonly packs: ReadonlyMap<string, Pack>;
  readonly scenarios: readonly Scenario[];
  readonly types: ReadonlyMap<string, ResourceType>;
  job(reference: string, from: string): Job | null;
  check(reference: string, from: string): Check | null;
  capability(reference: string, from: string): CapabilityType | null;
  artifact(reference: string, from: string): ArtifactType | null;
  /** Every job of every pack whose outputs name it, in the order of qualified ids. */
  jobsGiving(kind: 'capability' | 'artifact', name: string): readonly Job[];
  /** The pack itself and every pack it reaches through `needs`, nearest first. */
  reach(pack: string): readonly Pack[];
}

/** Builds the look-ups. Cost is linear in the size of the catalog, paid once per plan. */
export function indexCatalog(catalog: Catalog): CatalogIndex {
  const sorted = [...catalog.packs].sort(
    (a, b) => order(a.name, b.name) || order(a.version, b.version) || order(a.digest, b.digest),
  );
  const packs = new Map(sorted.map((pack) => [pack.name, pack]));
  const all = [...packs.values()].map(withBareTypes);
  const jobs = tables(all, (pack) => pack.jobs.map((job) => [job.id, job]));
  const checks = tables(all, (pack) => pack.checks.map((check) => [check.id, check]));
  const capabilities = tables(all, (pack) =>
    pack.capabilities.map((capability) => [capability.id, capability]),
  );
  const artifacts = tables(all, (pack) => pack.artifacts.map((artifact) => [artifact.name, artifact]));
  const reaches = new Map<string, readonly Pack[]>();
  const reach = (name: string): readonly Pack[] => {
    const known = reaches.get(name);
    if (known !== undefined) return known;
    const found = reachable(packs, name);
    reaches.set(name, found);
    return found;
  };
  const lookUp = <T>(
    table: ReadonlyMap<string, ReadonlyMap<string, T>>,
    reference: string,
    from: string,
  ): T | null => {
    const { pack, name } = splitReference(reference);
    if (pack !== null) return table.get(pack)?.get(name) ?? null;
    for (const each of reach(from)) {
      const found = table.get(each.name)?.get(name);
      if (found !== undefined) return found;
    }
    return null;
  };
  const own = <T>(
    table: ReadonlyMap<string, ReadonlyMap<string, T>>,
    reference: string,
    from: string,
  ): T | null => {
    const { pack, name } = splitReference(reference);
    return table.get(pack ?? from)?.get(name) ?? null;
  };
  const giving = givers(all);
  return {
    packs,
    scenarios: all.flatMap((pack) => pack.scenarios),
    types: new Map(all.flatMap((pack) => pack.resourceTypes.map((type) => [type.id, type]))),
    job: (reference, from) => own(jobs, reference, from),
    check: (reference, from) => own(checks, reference, from),
    capability: (reference, from) => lookUp(capabilities, reference, from),
    artifact: (reference, from) => lookUp(artifacts, reference, from),
    jobsGiving: (kind, name) => giving.get(`${kind}:${name}`) ?? [],
    reach,
  };
}

/** The bare part of `pack:name`; facts and artifacts are stored under it. */
export function bareName(reference: string): string {
  return splitReference(reference).name;
}

/** Resource types have one name in the whole catalog; documents may write the pack in front of it. */
function withBareTypes(pack: Pack): Pack {
  return {
    ...pack,
    capabilities: pack.capabilities.map((each) => ({ ...each, of: bareName(each.of) })),
    artifacts: pack.artifacts.map((each) => ({ ...each, of: bareName(each.of) })),
    scenarios: pack.scenarios.map((each) => ({
      ...each,
      targetResourceType: bareName(each.targetResourceType),
    })),
  };
}

function splitReference(reference: string): { readonly pack: string | null; readonly name: string } {
  const colon = reference.indexOf(':');
  return colon < 0
    ? { pack: null, name: reference }
    : { pack: reference.slice(0, colon), name: reference.slice(colon + 1) };
}

function tables<T>(
  packs: readonly Pack[],
  entries: (pack: Pack) => readonly (readonly [string, T])[],
): ReadonlyMap<string, ReadonlyMap<string, T>> {
  return new Map(packs.map((pack) => [pack.name, new Map(entries(pack))]));
}

function reachable(packs: ReadonlyMap<string, Pack>, start: string): readonly Pack[] {
  const names = new Set([start]);
  for (const name of names)
    for (const need of Object.keys(packs.get(name)?.needs ?? {}).sort()) names.add(need);
  return [...names].flatMap((name) => packs.get(name) ?? []);
}

function givers(packs: readonly Pack[]): ReadonlyMap<string, readonly Job[]> {
  const giving = new Map<string, Job[]>();
  const jobs = packs.flatMap((pack) => pack.jobs).sort((a, b) => order(qualified(a), qualified(b)));
  for (const job of jobs) {
    const { capabilities, artifacts } = job.contract.outputs;
    const names = new Set([
      ...capabilities.map((output) => `capability:${bareName(output.capability)}`),
      ...artifacts.map((output) => `artifact:${bareName(output.name)}`),
    ]);
    for (const name of names) {
      const known = giving.get(name);
      if (known === undefined) giving.set(name, [job]);
      else known.push(job);
    }
  }
  return giving;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
