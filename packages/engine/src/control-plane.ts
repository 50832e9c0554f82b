import type { Actor, Catalog, HostView, Intent, JsonValue, Outcome, Pack, Plan } from '@capstan/model';
import { hostName, ok, refused } from '@capstan/model';
import type { PlanOutcome, World } from '@capstan/planner';
import { decideCancel, decideRetry } from './commands.js';
import type { EngineDependencies } from './dependencies.js';
import {
  addressProblems,
  badFingerprint,
  DEBIAN_LAB,
  FINGERPRINT,
  type HostInput,
  hostProblems,
  labProblems,
} from './host-input.js';
import { keyConflict, requestKey } from './idempotency.js';
import { newOperation } from './new-operation.js';
import { placedElsewhere } from './placement.js';
import type { HostConnection } from './ports/host-port.js';
import type {
  CommandResult,
  IdempotencyKey,
  OperationChange,
  StoredOperation,
} from './ports/operation-store.js';
import type { Audit } from './ports/read-model.js';
import type { Requests } from './ports/requests.js';
import type { ArtifactStorage } from './ports/stores.js';
import { problem, Reading, type ReadingDependencies } from './reading.js';

/** A document as a client sends it. */
export type DocumentSource = { readonly yaml: string } | { readonly json: JsonValue };

export interface ControlPlaneDependencies
  extends ReadingDependencies,
    Pick<EngineDependencies, 'blobs' | 'secrets' | 'hosts' | 'clock' | 'ids'> {
  readonly audit: Audit;
  readonly requests: Requests;
  readonly documents: { parseIntent(document: DocumentSource): Outcome<Intent> };
  /** Plans elsewhere with a deadline; passing it is the refusal `planning_timeout`. */
  readonly planning: {
    plan(input: {
      readonly intent: Intent;
      readonly catalog: Catalog;
      readonly world: World;
    }): Promise<PlanOutcome>;
  };
}

/** Every use case of the product, behind one authorisation point; HTTP, CLI and later clients all come through here. */
export class ControlPlane extends Reading {
  constructor(private readonly deps: ControlPlaneDependencies) {
    super(deps);
  }

  async previewPlan(actor: Actor, document: DocumentSource): Promise<Outcome<Plan>> {
    return this.permitted(actor, 'plan', 'plan', () => this.plan(document));
  }

  /** Plans against the world as it is now and starts what it planned; one operation per resource at a time. */
  async startOperation(
    actor: Actor,
    input: { readonly document: DocumentSource; readonly idempotencyKey: string },
  ): Promise<Outcome<{ id: string; number: string }>> {
    return this.permitted(actor, 'run', 'operation', async () => {
      const planned = await this.plan(input.document);
      if (!planned.ok) return planned;
      const plan = planned.value;
      // The document decides, not the plan: the same request may be planned again with newer facts.
      const idempotency = requestKey(actor, 'startOperation', input.idempotencyKey, input.document);
      const result = await this.deps.store.create(newOperation(plan, this.deps.ids, { actor, idempotency }));
      if (result.kind === 'idempotency_conflict') return keyConflict(input.idempotencyKey);
      if (result.kind === 'running') {
        return refused(
          problem('operation_running', 'operation.running', {
            resource: plan.subject.key,
            operation: result.number,
          }),
        );
      }
      return ok({ id: result.id, number: result.number });
    });
  }

  async cancelOperation(
    actor: Actor,
    ref: string,
    idempotencyKey: string,
  ): Promise<Outcome<{ sequence: number }>> {
    return this.permitted(actor, 'run', ref, () =>
      this.command(ref, requestKey(actor, 'cancelOperation', idempotencyKey, ref), (stored) =>
        decideCancel(stored, actor),
      ),
    );
  }

  async retry(
    actor: Actor,
    input: { readonly operation: string; readonly nodeKey: string | null; readonly idempotencyKey: string },
  ): Promise<Outcome<{ sequence: number }>> {
    return this.permitted(actor, 'run', input.operation, () =>
      this.command(
        input.operation,
        requestKey(actor, 'retry', input.idempotencyKey, [input.operation, input.nodeKey]),
        (stored) => decideRetry(stored, actor, input.nodeKey),
      ),
    );
  }

  /** The only way to read a sensitive value; each reading, a repeated one too, is audited before the value leaves. */
  async revealArtifact(
    actor: Actor,
    input: { readonly resource: string; readonly name: string; readonly idempotencyKey: string },
  ): Promise<Outcome<{ value: Uint8Array }>> {
    const { resource, name } = input;
    const object = `${resource}/${name}`;
    return this.permitted(actor, 'reveal', object, async () => {
      const gone = refused(problem('not_found', 'artifact.not_found', { resource, name }));
      const key = requestKey(actor, 'revealArtifact', input.idempotencyKey, [resource, name]);
      // What is kept beside the key is where the value lies, never the value.
      const answer = await this.deps.requests.once(key, async () => {
        const found = (await this.deps.inventory.artifacts({ owner: resource })).find((a) => a.name === name);
        if (!found) return gone;
        await this.record(actor, 'artifact.reveal', object, { version: found.version });
        return ok({ version: found.version, ...placeOf(found.storage) });
      });
      if (answer.kind === 'conflict') return keyConflict(input.idempotencyKey);
      if (!answer.outcome.ok) return answer.outcome;
      const { version, kind, ref } = answer.outcome.value;
      if (answer.repeated) await this.record(actor, 'artifact.reveal', object, { version, repeated: true });
      const bytes = kind === 'secret' ? await this.deps.secrets.get(ref) : await this.deps.blobs.get(ref);
      return bytes ? ok({ value: bytes }) : gone;
    });
  }

  /** The key that answers at an address. A person compares it before a host is added with it. */
  async scanHostKey(
    actor: Actor,
    { address, port }: { readonly address: string; readonly port: number },
  ): Promise<Outcome<{ fingerprint: string; keyType: string }>> {
    return this.permitted(actor, 'manage_hosts', address, async () => {
      const problems = addressProblems(address, port);
      if (problems.length > 0) return refused(...problems);
      const answer = await this.deps.hosts.scanKey(address, port);
      return answer.kind === 'scanned'
        ? ok({ fingerprint: answer.fingerprint, keyType: answer.keyType })
        : refused({
            ...problem('host_unreachable', 'host.scan_failed', {
              ...answer.reason.args,
              host: `${address}:${port}`,
              reason: answer.reason.code,
            }),
          });
    });
  }

  /** Hosts that are known already under the same name are left as they are. All are added, or none. */
  async addHosts(
    actor: Actor,
    input: { readonly hosts: readonly HostInput[]; readonly idempotencyKey: string },
  ): Promise<Outcome<{ added: string[]; existing: string[] }>> {
    return this.permitted(actor, 'manage_hosts', 'hosts', async () => {
      const environments = await this.deps.inventory.environments();
      const problems = input.hosts.flatMap((host) => [
        ...hostProblems(host),
        ...labProblems(host, environments),
      ]);
      if (problems.length > 0) return refused(...problems);
      return this.once(actor, 'addHosts', input.idempotencyKey, input.hosts, async () => {
        const added: string[] = [];
        const existing: string[] = [];
        for (const host of input.hosts)
          ((await this.addHost(actor, host)) === 'added' ? added : existing).push(host.name);
        return ok({ added, existing });
      });
    });
  }

  /** A person says that the changed key is right; what waited for it goes on by itself. */
  async acceptHostKey(
    actor: Actor,
    input: { readonly name: string; readonly fingerprint: string; readonly idempotencyKey: string },
  ): Promise<Outcome<{ name: string; former: string | null }>> {
    return this.permitted(actor, 'manage_hosts', input.name, async () => {
      const { fingerprint } = input;
      const name = hostName(input.name);
      if (!FINGERPRINT.test(fingerprint)) return refused(badFingerprint(name));
      return this.once(actor, 'acceptHostKey', input.idempotencyKey, [name, fingerprint], async () => {
        const host = await this.deps.inventory.host(name);
        if (!host) return refused(problem('not_found', 'host.not_found', { host: name }));
        await this.record(actor, 'host.accept_key', host.key, {
          former: host.hostKeyFingerprint,
          accepted: fingerprint,
        });
        await this.deps.inventory.updateHost(name, { hostKeyFingerprint: fingerprint });
        return ok({ name, former: host.hostKeyFingerprint });
      });
    });
  }

  /** Makes exactly these packs the catalog that new plans see; running operations keep theirs (S25). */
  async usePacks(
    actor: Actor,
    loaded: readonly { readonly pack: Pack; readonly bytes: ReadonlyMap<string, Uint8Array> }[],
  ): Promise<Outcome<readonly Pack[]>> {
    return this.permitted(actor, 'manage_packs', 'packs', async () => {
      const before = new Set((await this.deps.packs.catalog()).packs.map((pack) => pack.digest));
      for (const { pack, bytes } of loaded) await this.deps.packs.save(pack, bytes);
      await this.deps.packs.activate(loaded.map(({ pack }) => pack.digest));
      for (const { pack } of loaded.filter((one) => !before.has(one.pack.digest)))
        await this.record(actor, 'pack.use', pack.name, { version: pack.version, digest: pack.digest });
      return ok(loaded.map(({ pack }) => pack));
    });
  }

  private async addHost(actor: Actor, input: HostInput): Promise<'added' | 'exists'> {
    if (await this.deps.inventory.host(input.name)) return 'exists';
    const inLab = input.environment === DEBIAN_LAB;
    const kind = inLab ? 'lab' : 'standard';
    await this.deps.inventory.addEnvironment({ name: input.environment, kind });
    const credential = await this.deps.secrets.put(
      input.environment,
      `host/${input.name}/key`,
      new TextEncoder().encode(input.privateKey),
    );
    const host: HostConnection = {
      id: this.deps.ids.next('host'),
      name: input.name,
      key: `node/${input.name}`,
      environment: input.environment,
      address: input.address,
      port: input.port,
      user: input.user,
      credential,
      hostKeyFingerprint: input.hostKeyFingerprint,
      runRoot: null,
      secretRoot: null,
      provenance: 'real',
      isolated: true,
      tier: inLab ? 'debian' : 'own',
    };
    const result = await this.deps.inventory.addHost(host, kind);
    if (result === 'added')
      await this.record(actor, 'host.add', host.key, {
        address: host.address,
        fingerprint: input.hostKeyFingerprint,
      });
    return result;
  }

  private async plan(document: DocumentSource): Promise<Outcome<Plan>> {
    const intent = this.deps.documents.parseIntent(document);
    if (!intent.ok) return intent;
    const outcome = await this.deps.planning.plan({
      intent: intent.value,
      catalog: await this.deps.packs.catalog(),
      world: await this.world(),
    });
    if (outcome.kind === 'refused') return refused(...outcome.problems);
    const elsewhere = await placedElsewhere(this.deps, outcome.plan);
    return elsewhere ? refused(elsewhere) : ok(outcome.plan);
  }

  private async world(): Promise<World> {
    const { inventory } = this.deps;
    const [environments, hosts, resources, facts, artifacts] = await Promise.all([
      inventory.environments(),
      inventory.hosts(),
      inventory.resources(),
      inventory.facts(),
      inventory.artifacts({}),
    ]);
    return {
      now: this.deps.clock.now(),
      environments,
      hosts: hosts.map(viewOf),
      resources,
      facts,
      artifacts,
    };
  }

  private async command(
    ref: string,
    idempotency: IdempotencyKey,
    decide: (stored: StoredOperation) => Outcome<OperationChange>,
  ): Promise<Outcome<{ sequence: number }>> {
    const result: CommandResult = await this.deps.store.command(ref, idempotency, (stored) => {
      const outcome = decide(stored);
      return outcome.ok
        ? { kind: 'change', change: outcome.value }
        : { kind: 'refused', problems: outcome.problems };
    });
    switch (result.kind) {
      case 'done':
        return ok({ sequence: result.sequence });
      case 'refused':
        return refused(...result.problems);
      case 'not_found':
        return refused(problem('not_found', 'operation.not_found', { operation: ref }));
      case 'idempotency_conflict':
        return keyConflict(idempotency.key);
    }
  }

  private async once<T extends JsonValue>(
    actor: Actor,
    mutation: string,
    key: string,
    input: unknown,
    effect: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const answer = await this.deps.requests.once(requestKey(actor, mutation, key, input), effect);
    return answer.kind === 'conflict' ? keyConflict(key) : answer.outcome;
  }

  private async record(
    actor: Actor,
    action: string,
    object: string,
    detail: Record<string, string | number | boolean | null>,
  ): Promise<void> {
    await this.deps.audit.record({ actor: `${actor.kind}:${actor.id}`, action, object, detail });
  }
}

function viewOf(host: HostConnection): HostView {
  const { name, key, environment, address, hostKeyFingerprint, provenance, isolated, tier } = host;
  return { name, key, environment, address, hostKeyFingerprint, provenance, isolated, tier };
}

function placeOf(storage: ArtifactStorage): { readonly kind: 'secret' | 'blob'; readonly ref: string } {
  return { kind: storage.kind, ref: storage.kind === 'secret' ? storage.ref : storage.hash };
}
