import type { PlannedOutput } from '@capstan/model';
import { bytesHash } from '@capstan/model';
import type { EngineDependencies } from './dependencies.js';
import type { ArtifactWrite } from './ports/operation-store.js';

type Shelved = Pick<ArtifactWrite, 'name' | 'owner' | 'sensitive' | 'contentHash' | 'storage'>;

/** The artifacts that an operation can read: stored ones, and those it has made that ride with the next commit. */
export class ArtifactShelf {
  private readonly newest = new Map<string, Shelved>();
  /** Secrets are needed for masking by every check; each is decrypted once. A reference's value never changes. */
  private readonly opened = new Map<string, Uint8Array>();

  private constructor(private readonly deps: Pick<EngineDependencies, 'secrets' | 'blobs' | 'ids'>) {}

  static async load(
    deps: EngineDependencies,
    operationId: string,
    owners: ReadonlySet<string>,
  ): Promise<ArtifactShelf> {
    const shelf = new ArtifactShelf(deps);
    for (const owner of owners) {
      for (const record of await deps.inventory.artifacts({ owner, operationId })) shelf.add(record);
    }
    return shelf;
  }

  add(artifact: Shelved): void {
    this.newest.set(`${artifact.owner}|${artifact.name}`, artifact);
  }

  find(owner: string, name: string): Shelved | undefined {
    return this.newest.get(`${owner}|${name}`);
  }

  async bytes(owner: string, name: string): Promise<Uint8Array | null> {
    const found = this.find(owner, name);
    if (!found) return null;
    if (found.storage.kind === 'blob') return this.deps.blobs.get(found.storage.hash);
    const { ref } = found.storage;
    const known = this.opened.get(ref);
    if (known) return known;
    const bytes = await this.deps.secrets.get(ref);
    if (bytes) this.opened.set(ref, bytes);
    return bytes;
  }

  /** Every sensitive value on the shelf: what must be masked in anything this operation stores (L10). */
  async secretValues(): Promise<readonly Uint8Array[]> {
    const out: Uint8Array[] = [];
    for (const a of this.newest.values()) {
      if (!a.sensitive) continue;
      const bytes = await this.bytes(a.owner, a.name);
      if (bytes) out.push(bytes);
    }
    return out;
  }

  /** Stores the bytes; the returned row makes them an artifact when it is committed. */
  async store(
    environment: string,
    wanted: PlannedOutput,
    bytes: Uint8Array,
    by: { nodeKey: string | null; attemptId: string | null; ttlMs: number | null },
  ): Promise<ArtifactWrite> {
    const storage = wanted.sensitive
      ? ({
          kind: 'secret',
          ref: await this.deps.secrets.put(environment, `${wanted.owner}/${wanted.name}`, bytes),
        } as const)
      : ({ kind: 'blob', hash: await this.deps.blobs.put(bytes) } as const);
    return {
      id: this.deps.ids.next('art'),
      owner: wanted.owner,
      name: wanted.name,
      sensitive: wanted.sensitive,
      size: bytes.length,
      contentHash: wanted.sensitive ? this.deps.secrets.fingerprint(bytes) : bytesHash(bytes),
      storage,
      keep: wanted.keep,
      nodeKey: by.nodeKey,
      attemptId: by.attemptId,
      ttlMs: by.ttlMs ?? wanted.ttlMs,
    };
  }
}
