import type { JsonValue } from './text.js';

/** Desired result plus constraints plus an action on a resource or a resource type, in normal form (S36). */
export interface Intent {
  readonly action: string;
  /** Key of an existing resource, e.g. `cluster/prod-k8s`. */
  readonly targetResource?: string;
  readonly targetResourceType?: string;
  /** Every parameter, whether it stood in `desired_result` or at top level. */
  readonly desiredResult: Readonly<Record<string, JsonValue>>;
  readonly constraints: Readonly<Record<string, JsonValue>>;
  /** A list for the only set, or a map by set name; host names without the `node/` prefix. */
  readonly hosts: readonly string[] | Readonly<Record<string, readonly string[]>> | null;
  readonly approval?: JsonValue;
}
