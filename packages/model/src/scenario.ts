import type { ArtifactType, Generator } from './artifact.js';
import type { CapabilityRef, CapabilityType, Requirement } from './capability.js';
import type { Check, Job, RiskLevel } from './job.js';
import type { JsonValue, PackText } from './text.js';

/** A large step a person understands. `after` is a barrier; without it only contracts order jobs (S21). */
export interface Stage {
  readonly id: string;
  readonly title: PackText;
  readonly after: readonly string[];
  /** Job references as written: `id` of the own pack or `pack:id`. */
  readonly jobs: readonly string[];
  readonly provides: readonly CapabilityRef[];
}

/** How the members of a host set are found (S18). */
export interface HostSet {
  readonly name: string;
  readonly title?: PackText;
  /** CEL: how many; absent: as many as the intent names. */
  readonly count?: string;
  /** CEL giving host names, instead of the intent's `hosts:`. */
  readonly hosts?: string;
  readonly where?: string;
  readonly spread?: string;
  /** Members of the target resource under this name, instead of a choice. */
  readonly members?: string;
}

/** A versioned template for one action on one resource type. */
export interface Scenario {
  readonly id: string;
  readonly pack: string;
  readonly version: string;
  readonly title: PackText;
  readonly summary?: PackText;
  readonly action: string;
  readonly targetResourceType: string;
  readonly params: JsonValue;
  readonly hostSets: readonly HostSet[];
  readonly requires: readonly Requirement[];
  readonly provides: readonly CapabilityRef[];
  readonly generate: readonly { readonly artifact: string; readonly generator: Generator }[];
  readonly stages: readonly Stage[];
  readonly risk: RiskLevel;
  readonly mayInsert: readonly { readonly job: string; readonly for: string; readonly max: number }[];
  readonly digest: string;
  readonly notExecuted: readonly string[];
}

/** A type of managed thing. Its key prefix makes resource keys: `postgres/main`. */
export interface ResourceType {
  readonly id: string;
  readonly pack: string;
  readonly key: string;
  readonly title?: PackText;
  readonly health: readonly string[];
}

/** A versioned folder of scenarios, jobs, capabilities and checks, read and checked. */
export interface Pack {
  readonly name: string;
  readonly version: string;
  readonly title: PackText;
  readonly summary?: PackText;
  readonly publisher: string;
  readonly needs: Readonly<Record<string, string>>;
  readonly resourceTypes: readonly ResourceType[];
  readonly capabilities: readonly CapabilityType[];
  readonly artifacts: readonly ArtifactType[];
  readonly scenarios: readonly Scenario[];
  readonly jobs: readonly Job[];
  readonly checks: readonly Check[];
  /** Path → SHA-256 of the bytes that jobs and checks send to hosts. */
  readonly files: Readonly<Record<string, string>>;
  readonly permissions: JsonValue;
  /** SHA-256 over every file of the folder: what an operation pins (S25). */
  readonly digest: string;
}

/** Every pack that the installation knows, by name. */
export interface Catalog {
  readonly packs: readonly Pack[];
}
