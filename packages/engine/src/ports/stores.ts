import type { ArtifactRecord, Catalog, Environment, Fact, Pack, Resource } from '@capstan/model';
import type { HostConnection } from './host-port.js';

/** Hosts, resources, facts and environments. */
export interface Inventory {
  environments(): Promise<readonly Environment[]>;
  /** Makes it where there is none of that name; an existing one keeps its kind. */
  addEnvironment(environment: Environment): Promise<void>;
  hosts(): Promise<readonly HostConnection[]>;
  /** By name or by resource key. */
  host(name: string): Promise<HostConnection | null>;
  /** `exists` leaves the stored one as it is. Creates the resource `node/<name>` and, for a lab, its environment. */
  addHost(host: HostConnection, environmentKind: Environment['kind']): Promise<'added' | 'exists'>;
  /** Replaces what enrolment, a person's acceptance of a key, or a lab restart changed. */
  updateHost(
    name: string,
    change: Partial<
      Pick<
        HostConnection,
        'address' | 'port' | 'hostKeyFingerprint' | 'runRoot' | 'secretRoot' | 'isolated' | 'credential'
      >
    >,
  ): Promise<boolean>;
  /** Ordered by key; all of them, or those of these keys, or of these ids. */
  resources(which?: {
    readonly keys?: readonly string[];
    readonly ids?: readonly string[];
  }): Promise<readonly Resource[]>;
  facts(resourceKeys?: readonly string[]): Promise<readonly Fact[]>;
  /** Newest version of each stored artifact that outlives its operation, or belongs to this operation. */
  artifacts(filter: {
    readonly owner?: string;
    readonly operationId?: string;
  }): Promise<readonly (ArtifactRecord & { readonly storage: ArtifactStorage })[]>;
}

export type ArtifactStorage =
  | { readonly kind: 'blob'; readonly hash: string }
  | { readonly kind: 'secret'; readonly ref: string };

/** Pinned packs: an operation reads the files of the digest it was planned with (S25). */
export interface PackStore {
  save(pack: Pack, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** The newest saved version of each pack that is marked active. */
  catalog(): Promise<Catalog>;
  /** Makes exactly these digests the catalog that new plans see. */
  activate(digests: readonly string[]): Promise<void>;
  file(packDigest: string, path: string): Promise<Uint8Array | null>;
}

/** Bytes of artifacts that are not secret, by SHA-256. */
export interface BlobStore {
  put(bytes: Uint8Array): Promise<string>;
  get(hash: string): Promise<Uint8Array | null>;
}

/** Secrets at rest: envelope encryption, one data key each, bound to (environment, name, version). */
export interface Secrets {
  put(environment: string, name: string, bytes: Uint8Array): Promise<string>;
  get(ref: string): Promise<Uint8Array | null>;
  /** A keyed hash: equal for equal bytes, useless to somebody who reads the database. */
  fingerprint(bytes: Uint8Array): string;
  /** Random text for `generate:`; letters and digits only. */
  generate(kind: 'password' | 'token', length: number): string;
}

/** The newest proven input hash per (subject, job, target) (S4). */
export interface ProofStore {
  proofs(subject: string): Promise<ReadonlyMap<string, string>>;
}

/** `job|target` as the key of {@link ProofStore.proofs}. */
export function proofKey(job: string, target: string): string {
  return `${job}|${target}`;
}

/** Masked output of attempts, as bytes. The host's file is the truth; what is missing is read again by offset. */
export interface LogStore {
  size(attemptId: string): Promise<number>;
  /** Keeps the bytes only if `offset` is the stored size (two followers never write twice). Returns the size now. */
  append(attemptId: string, offset: number, bytes: Uint8Array): Promise<number>;
  read(attemptId: string, from: number, limit: number): Promise<Uint8Array>;
  /** Replaces stored bytes by a masked copy of the same length; the etag changes. */
  mask(attemptId: string, masked: (bytes: Uint8Array) => Uint8Array): Promise<void>;
  /** No more bytes will come. */
  complete(attemptId: string): Promise<void>;
}

/** Wake-ups only: losing or doubling one is harmless (S1). */
export interface WakeUps {
  wake(operationId: string): Promise<void>;
  /** The handler returns at once; it must not throw. `changed` = a command wrote the operation: its driver reloads. */
  listen(handler: { wake(operationId: string): void; changed(operationId: string): void }): Promise<void>;
  stop(): Promise<void>;
}

/** Tells watchers that an operation has newer rows; coalesced, after the commit, never inside it (S12). */
export interface Feed {
  announce(operationId: string, sequence: number): void;
}

/** Time for waiting and for display. What counts (leases, expiry) goes by the database clock. */
export interface Clock {
  now(): string;
  /** Milliseconds from an arbitrary start, never going back. */
  elapsed(): number;
  /** Ends early, without an error, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** `<prefix>_<UUIDv7>`. */
export interface Ids {
  next(prefix: 'op' | 'plan' | 'att' | 'res' | 'ev' | 'art' | 'host' | 'sec' | 'tok'): string;
}
