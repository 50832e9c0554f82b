import type { Actor, JsonValue, Outcome, ProblemCode, Reason } from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import type { Authorize } from './authorize.js';
import { allowAll } from './authorize.js';
import { keyConflict, requestKey } from './idempotency.js';
import type { HostConnection, HostPort } from './ports/host-port.js';
import type { DueFolder, Keys, PruneItem, Retention, RetentionAges } from './ports/maintenance.js';
import type { Audit } from './ports/read-model.js';
import type { Requests } from './ports/requests.js';
import type { Inventory } from './ports/stores.js';

export interface MaintenanceDependencies {
  readonly retention: Retention;
  readonly keys: Keys;
  readonly audit: Audit;
  readonly inventory: Pick<Inventory, 'hosts'>;
  readonly hosts: Pick<HostPort, 'forget'>;
  readonly requests: Pick<Requests, 'begin' | 'end'>;
  readonly authorize?: Authorize;
}

/** Run folders that stay for now, and why. */
export interface FoldersLeft {
  /** `node/<name>` */
  readonly host: string;
  readonly folders: number;
  /** Null: the host is not known any more. */
  readonly reason: Reason | null;
}

export interface PruneReport {
  readonly dryRun: boolean;
  /** What would go, or went. */
  readonly items: readonly PruneItem[];
  readonly left: readonly FoldersLeft[];
  /** False: the time was over before everything was gone; ask again. */
  readonly complete: boolean;
}

/** A person waits for the answer: longer than this a request may not be held. */
const PATIENCE_MS = 20_000;

/** The use cases of whoever keeps the installation, behind the same authorisation point as {@link ControlPlane}. */
export class Maintenance {
  private readonly authorize: Authorize;

  constructor(
    private readonly deps: MaintenanceDependencies,
    private readonly ages: RetentionAges,
  ) {
    this.authorize = deps.authorize ?? allowAll;
  }

  /** Says what would go; changes nothing. */
  async due(actor: Actor): Promise<Outcome<PruneReport>> {
    const forbidden = await this.authorize(actor, 'maintain', 'retention');
    if (forbidden) return refused(forbidden);
    const folders = await this.deps.retention.folders(this.ages);
    const items = await this.deps.retention.due(this.ages);
    const all = [...items, ...folderItems(folders.length)];
    return ok({ dryRun: true, items: all, left: [], complete: true });
  }

  /** Removes what is older than its age, for as long as a request may take. One run at a time. */
  prune(actor: Actor, idempotencyKey: string, patienceMs = PATIENCE_MS): Promise<Outcome<PruneReport>> {
    return this.kept<PruneReport>(actor, 'prune', idempotencyKey, 'retention', () =>
      this.run(actor, AbortSignal.timeout(patienceMs)),
    );
  }

  /** The daily run: nothing and null when another process had this day's turn, or runs now. */
  async pruneDaily(actor: Actor, everyMs: number, signal: AbortSignal): Promise<PruneReport | null> {
    if (await this.authorize(actor, 'maintain', 'retention')) return null;
    if (!(await this.deps.retention.claimTurn(everyMs))) return null;
    const outcome = await this.run(actor, signal);
    return outcome.ok ? outcome.value : null;
  }

  /** Replaces the key that encrypts the data keys of secrets; its beginning and its end are audited. */
  rotateKey(
    actor: Actor,
    idempotencyKey: string,
  ): Promise<Outcome<{ former: string; current: string; rewrapped: number; resumed: boolean }>> {
    return this.kept(actor, 'rotateKey', idempotencyKey, 'secrets', async () => {
      await this.record(actor, 'secrets.rotate_kek_begin', {});
      const rotated = await this.deps.keys.rotate();
      if (rotated.kind === 'busy') return busy('maintenance.rotation_busy');
      const { kind: _, ...result } = rotated;
      await this.record(actor, 'secrets.rotate_kek', result);
      return ok(result);
    });
  }

  /**
   * Keeps the key before and the answer after, since no transaction holds what is done between. A request that was
   * interrupted is made again: both of them go on where they stopped.
   */
  private async kept<T extends object>(
    actor: Actor,
    mutation: string,
    idempotencyKey: string,
    object: string,
    work: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const forbidden = await this.authorize(actor, 'maintain', object);
    if (forbidden) return refused(forbidden);
    const key = requestKey(actor, mutation, idempotencyKey, null);
    const begun = await this.deps.requests.begin(key);
    if (begun.kind === 'conflict') return keyConflict(idempotencyKey);
    if (begun.kind === 'ended') return ok(begun.answer as unknown as T);
    const outcome = await work();
    if (outcome.ok) await this.deps.requests.end(key, outcome.value as unknown as JsonValue);
    return outcome;
  }

  private async run(actor: Actor, signal: AbortSignal): Promise<Outcome<PruneReport>> {
    const done = await this.deps.retention.alone(() => this.remove(actor, signal));
    return done ? ok(done.value) : busy('maintenance.prune_busy');
  }

  private async remove(actor: Actor, signal: AbortSignal): Promise<PruneReport> {
    const who = `${actor.kind}:${actor.id}`;
    const items = await this.deps.retention.prune(this.ages, who, signal);
    const { removed, left } = await this.forgetFolders(who, signal);
    const all = [...items, ...folderItems(removed)];
    // A run that found nothing decided nothing: a row a day of it would bury the others.
    if (all.length > 0)
      await this.record(actor, 'retention.prune', Object.fromEntries(all.map((i) => [i.kind, i.objects])));
    return { dryRun: false, items: all, left, complete: !signal.aborted };
  }

  /** Host by host, so that one that does not answer costs one try and holds up no other for long. */
  private async forgetFolders(
    who: string,
    signal: AbortSignal,
  ): Promise<{ removed: number; left: readonly FoldersLeft[] }> {
    const known = new Map((await this.deps.inventory.hosts()).map((host) => [host.key, host]));
    const left: FoldersLeft[] = [];
    let removed = 0;
    for (const [key, folders] of byHost(await this.deps.retention.folders(this.ages))) {
      if (signal.aborted) break;
      const host = known.get(key);
      if (!host) {
        left.push({ host: key, folders: folders.length, reason: null });
        continue;
      }
      const { done, reason } = await this.forgetOn(host, folders, who, signal);
      removed += done;
      if (reason) left.push({ host: key, folders: folders.length - done, reason });
    }
    return { removed, left };
  }

  private async forgetOn(
    host: HostConnection,
    folders: readonly DueFolder[],
    who: string,
    signal: AbortSignal,
  ): Promise<{ done: number; reason: Reason | null }> {
    let done = 0;
    for (const { ref } of folders) {
      if (signal.aborted) break;
      // A host without a secret root was never prepared, so it holds no folder of ours.
      const answer = await this.deps.hosts.forget(host, { ...ref, secretRoot: host.secretRoot ?? '' });
      if (answer.kind === 'blocked') return { done, reason: answer.reason };
      await this.deps.retention.forgotten(ref.attemptId, who);
      done += 1;
    }
    return { done, reason: null };
  }

  private async record(
    actor: Actor,
    action: string,
    detail: Record<string, string | number | boolean>,
  ): Promise<void> {
    await this.deps.audit.record({
      actor: `${actor.kind}:${actor.id}`,
      action,
      object: 'installation',
      detail,
    });
  }
}

function byHost(folders: readonly DueFolder[]): ReadonlyMap<string, readonly DueFolder[]> {
  const hosts = new Map<string, DueFolder[]>();
  for (const folder of folders) {
    const former = hosts.get(folder.host);
    if (former) former.push(folder);
    else hosts.set(folder.host, [folder]);
  }
  return hosts;
}

function folderItems(objects: number): readonly PruneItem[] {
  return objects > 0 ? [{ kind: 'run_folders', objects, bytes: null }] : [];
}

function busy(textCode: string): Outcome<never> {
  const code: ProblemCode = 'conflict';
  return refused({ code, text: text(textCode) });
}
