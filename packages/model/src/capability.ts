import type { JsonValue } from './text.js';

/** Whose capability or artifact a reference means, as written in a document (S14). */
export type On =
  | { readonly kind: 'host' }
  | { readonly kind: 'target' }
  | { readonly kind: 'binding'; readonly name: string; readonly claim: boolean }
  | { readonly kind: 'all' | 'first' | 'any'; readonly set: string };

/** A capability as its pack declares it. */
export interface CapabilityType {
  /** Dotted lower-case name, e.g. `database.postgresql`. */
  readonly id: string;
  readonly pack: string;
  /** Resource type that can hold it. */
  readonly of: string;
  /** Major version of the attribute schema. */
  readonly version: number;
  readonly versionAttribute?: string;
  /** JSON Schema of the attributes. */
  readonly attributes?: JsonValue;
  readonly impliedBy?: string;
}

/** A need for, or a promise of, a capability in a contract. */
export interface CapabilityRef {
  readonly capability: string;
  /** Absent: decided by the capability's `of` (S14). */
  readonly on?: On;
  /** Attributes that a `provides` promises before it exists. */
  readonly attributes?: JsonValue;
}

/** A requirement of a scenario: a capability under a name that bindings and expressions use. */
export interface Requirement extends CapabilityRef {
  readonly as: string;
  readonly version?: string;
  readonly where?: string;
  readonly sameAs?: string;
  readonly claim?: boolean;
  readonly claimParams?: Readonly<Record<string, string>>;
}
