import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { ArtifactRecord, Catalog, Environment, Fact, Pack, Resource } from '@capstan/model';
import type { HostConnection } from '../ports/host-port.js';
import type { ArtifactWrite, FactWrite, OperationChange } from '../ports/operation-store.js';
import type {
  ArtifactStorage,
  BlobStore,
  Clock,
  Feed,
  Ids,
  Inventory,
  LogStore,
  PackStore,
  ProofStore,
  Secrets,
  WakeUps,
} from '../ports/stores.js';
import { proofKey } from '../ports/stores.js';

type StoredArtifact = ArtifactRecord & { readonly storage: ArtifactStorage };

/** Hosts, resources, facts and artifacts in memory; `take` is what a committed change adds to them. */
export class MemoryInventory implements Inventory, ProofStore {
  readonly hostRows = new Map<string, HostConnection>();
  readonly resourceRows = new Map<string, Resource>();
  readonly factRows = new Map<string, Fact>();
  readonly artifactRows: StoredArtifact[] = [];
  readonly environmentRows = new Map<string, Environment>([
    ['default', { name: 'default', kind: 'standard' }],
  ]);
  private readonly proofRows = new Map<string, Map<string, string>>();

  constructor(private readonly clock: Clock) {}

  take(change: OperationChange): void {
    for (const f of change.facts) this.factRows.set(`${f.resource}|${f.capability}`, this.fact(f));
    for (const s of change.staleFacts) {
      const fact = this.factRows.get(`${s.resource}|${s.capability}`);
      if (fact?.state === 'holds')
        this.factRows.set(`${s.resource}|${s.capability}`, { ...fact, state: 'stale' });
    }
    for (const a of change.artifacts) this.artifactRows.push(this.artifact(a, change.operationId));
    for (const p of change.proofs) {
      const rows = this.proofRows.get(p.subject) ?? new Map<string, string>();
      rows.set(proofKey(p.job, p.target), p.inputHash);
      this.proofRows.set(p.subject, rows);
    }
  }

  environments(): Promise<readonly Environment[]> {
    return Promise.resolve([...this.environmentRows.values()]);
  }

  addEnvironment(environment: Environment): Promise<void> {
    if (!this.environmentRows.has(environment.name)) this.environmentRows.set(environment.name, environment);
    return Promise.resolve();
  }

  hosts(): Promise<readonly HostConnection[]> {
    return Promise.resolve([...this.hostRows.values()]);
  }

  host(name: string): Promise<HostConnection | null> {
    return Promise.resolve(this.hostRows.get(name.replace(/^node\//, '')) ?? null);
  }

  addHost(host: HostConnection, environmentKind: Environment['kind']): Promise<'added' | 'exists'> {
    if (this.hostRows.has(host.name)) return Promise.resolve('exists');
    this.hostRows.set(host.name, host);
    this.environmentRows.set(host.environment, { name: host.environment, kind: environmentKind });
    this.resourceRows.set(host.key, {
      id: host.id,
      key: host.key,
      type: 'node',
      environment: host.environment,
      attributes: {},
    });
    return Promise.resolve('added');
  }

  updateHost(name: string, change: Parameters<Inventory['updateHost']>[1]): Promise<boolean> {
    const host = this.hostRows.get(name);
    if (host) this.hostRows.set(name, { ...host, ...change });
    return Promise.resolve(host !== undefined);
  }

  resources({ keys, ids }: Parameters<Inventory['resources']>[0] = {}): Promise<readonly Resource[]> {
    return Promise.resolve(
      [...this.resourceRows.values()].filter(
        (r) => (keys?.includes(r.key) ?? true) && (ids?.includes(r.id) ?? true),
      ),
    );
  }

  facts(keys?: readonly string[]): Promise<readonly Fact[]> {
    return Promise.resolve(
      [...this.factRows.values()].filter((f) => keys === undefined || keys.includes(f.resource)),
    );
  }

  artifacts(filter: {
    readonly owner?: string;
    readonly operationId?: string;
  }): Promise<readonly StoredArtifact[]> {
    const newest = new Map<string, StoredArtifact>();
    for (const a of this.artifactRows) {
      if (filter.owner !== undefined && a.owner !== filter.owner) continue;
      if (a.keep === 'operation' && a.operationId !== filter.operationId) continue;
      newest.set(`${a.owner}|${a.name}`, a);
    }
    return Promise.resolve([...newest.values()]);
  }

  proofs(subject: string): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map(this.proofRows.get(subject) ?? []));
  }

  private fact(f: FactWrite): Fact {
    const now = this.clock.now();
    const { freshForMs, ...rest } = f;
    return {
      ...rest,
      provedAt: now,
      freshUntil: freshForMs === null ? null : new Date(Date.parse(now) + freshForMs).toISOString(),
    };
  }

  private artifact(a: ArtifactWrite, operationId: string): StoredArtifact {
    const now = this.clock.now();
    const version = this.artifactRows.filter((o) => o.owner === a.owner && o.name === a.name).length + 1;
    return {
      ...a,
      version,
      operationId,
      createdAt: now,
      expiresAt: a.ttlMs === null ? null : new Date(Date.parse(now) + a.ttlMs).toISOString(),
    };
  }
}

export class MemoryPacks implements PackStore {
  readonly saved = new Map<string, { pack: Pack; files: ReadonlyMap<string, Uint8Array> }>();
  private active: readonly string[] = [];

  save(pack: Pack, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    this.saved.set(pack.digest, { pack, files });
    return Promise.resolve();
  }

  catalog(): Promise<Catalog> {
    return Promise.resolve({ packs: this.active.flatMap((d) => this.saved.get(d)?.pack ?? []) });
  }

  activate(digests: readonly string[]): Promise<void> {
    this.active = digests;
    return Promise.resolve();
  }

  file(packDigest: string, path: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.saved.get(packDigest)?.files.get(path) ?? null);
  }
}

export class MemoryBlobs implements BlobStore {
  private readonly bytes = new Map<string, Uint8Array>();

  put(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.bytes.set(hash, bytes);
    return Promise.resolve(hash);
  }

  get(hash: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.bytes.get(hash) ?? null);
  }
}

export class MemorySecrets implements Secrets {
  private readonly bytes = new Map<string, Uint8Array>();
  private readonly key = randomBytes(32);

  put(_environment: string, name: string, bytes: Uint8Array): Promise<string> {
    const ref = `sec_${this.bytes.size + 1}_${name}`;
    this.bytes.set(ref, bytes);
    return Promise.resolve(ref);
  }

  get(ref: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.bytes.get(ref) ?? null);
  }

  fingerprint(bytes: Uint8Array): string {
    return createHmac('sha256', this.key).update(bytes).digest('hex');
  }

  generate(_kind: 'password' | 'token', length: number): string {
    return randomBytes(length).toString('hex').slice(0, length);
  }
}

export class MemoryLogs implements LogStore {
  readonly logs = new Map<string, Uint8Array>();
  readonly completed = new Set<string>();

  size(attemptId: string): Promise<number> {
    return Promise.resolve(this.logs.get(attemptId)?.length ?? 0);
  }

  append(attemptId: string, offset: number, bytes: Uint8Array): Promise<number> {
    const old = this.logs.get(attemptId) ?? new Uint8Array();
    if (old.length !== offset) return Promise.resolve(old.length);
    const grown = new Uint8Array(old.length + bytes.length);
    grown.set(old);
    grown.set(bytes, old.length);
    this.logs.set(attemptId, grown);
    return Promise.resolve(grown.length);
  }

  read(attemptId: string, from: number, limit: number): Promise<Uint8Array> {
    return Promise.resolve((this.logs.get(attemptId) ?? new Uint8Array()).slice(from, from + limit));
  }

  mask(attemptId: string, masked: (bytes: Uint8Array) => Uint8Array): Promise<void> {
    const old = this.logs.get(attemptId);
    if (old) this.logs.set(attemptId, masked(old));
    return Promise.resolve();
  }

  complete(attemptId: string): Promise<void> {
    this.completed.add(attemptId);
    return Promise.resolve();
  }
}

/** Wake-ups between workers of one process. */
export class MemoryWakeUps {
  private readonly handlers = new Set<Parameters<WakeUps['listen']>[0]>();

  wake(operationId: string): Promise<void> {
    for (const h of this.handlers) setImmediate(() => h.wake(operationId));
    return Promise.resolve();
  }

  changed(operationId: string): void {
    for (const h of this.handlers) setImmediate(() => h.changed(operationId));
  }

  /** One worker's port; several may listen. */
  port(): WakeUps {
    let mine: Parameters<WakeUps['listen']>[0] | null = null;
    return {
      wake: (id) => this.wake(id),
      listen: (handler) => {
        mine = handler;
        this.handlers.add(handler);
        return Promise.resolve();
      },
      stop: () => {
        if (mine) this.handlers.delete(mine);
        return Promise.resolve();
      },
    };
  }
}

export const silentFeed: Feed = { announce: () => undefined };

/** Ids that count up, so that a test reads well. */
export class CountingIds implements Ids {
  private count = 0;

  next(prefix: string): string {
    this.count += 1;
    return `${prefix}_${String(this.count).padStart(6, '0')}`;
  }
}
