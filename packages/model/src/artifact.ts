/** Makes the value of an artifact on the server, so that it is a known secret before any host sees it (S10). */
export type Generator = { readonly kind: 'password' | 'token'; readonly length: number };

/** An artifact as its pack declares it (S17). */
export interface ArtifactType {
  readonly name: string;
  readonly pack: string;
  /** Resource type that owns it. */
  readonly of: string;
  readonly kind: 'file' | 'config' | 'secret' | 'token' | 'text';
  readonly sensitive: boolean;
  /** `resource` artifacts resolve in later operations, `operation` ones end with theirs. */
  readonly keep: 'operation' | 'resource';
  readonly ttlMs?: number;
  readonly credential: boolean;
  /** How an input of this artifact is compared: a new token must not make a finished join stale (S8). */
  readonly identity: 'content' | 'existence';
  /** Patterns masked in the stream of the job that outputs it (S10). */
  readonly redact: readonly string[];
}

/** Output limits in bytes (S11): 1 MiB for configs, tokens, secrets and texts, 64 MiB for files. */
export function artifactLimit(kind: ArtifactType['kind']): number {
  return kind === 'file' ? 64 * 1024 * 1024 : 1024 * 1024;
}

/** A stored artifact. Its bytes are a blob by hash, or an encrypted secret; never part of this record. */
export interface ArtifactRecord {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly version: number;
  readonly sensitive: boolean;
  readonly size: number;
  /** SHA-256 of the bytes, hex. For a sensitive artifact a keyed hash, so that short secrets cannot be guessed from it. */
  readonly contentHash: string;
  readonly operationId: string | null;
  readonly keep: 'operation' | 'resource';
  readonly createdAt: string;
  readonly expiresAt: string | null;
}
