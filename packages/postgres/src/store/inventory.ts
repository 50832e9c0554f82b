import type { ArtifactStorage, HostConnection, Ids, Inventory } from '@capstan/engine';
import type { ArtifactRecord, Environment, Fact, FactState, Provenance, Resource } from '@capstan/model';
import { hostName } from '@capstan/model';
import type { DataSource, EntityManager } from 'typeorm';
import { In } from 'typeorm';
import { managerOf } from '../current-manager.js';
import { ArtifactRow } from '../entity/artifact.js';
import { EnvironmentRow } from '../entity/environment.js';
import { FactRow } from '../entity/fact.js';
import { HostRow } from '../entity/host.js';
import { ResourceRow } from '../entity/resource.js';
import { overLostConnections } from '../lost-connection.js';

/** Hosts, resources, facts, artifacts and environments. */
export function inventory(source: DataSource, ids: Ids & { next(prefix: string): string }): Inventory {
  const current = () => managerOf(source);
  return {
    environments: () =>
      overLostConnections(async () =>
        (await current().find(EnvironmentRow, { order: { name: 'ASC' } })).map(toEnvironment),
      ),
    addEnvironment: (environment) => overLostConnections(() => addEnvironment(current(), ids, environment)),
    hosts: () =>
      overLostConnections(async () => {
        const names = await environmentNames(current());
        return (await current().find(HostRow, { order: { name: 'ASC' } })).map((row) => toHost(row, names));
      }),
    host: (name) =>
      overLostConnections(async () => {
        const row = await current().findOneBy(HostRow, { name: hostName(name) });
        return row ? toHost(row, await environmentNames(current())) : null;
      }),
    addHost: (host, environmentKind) =>
      current().transaction((tx) => addHost(tx, ids, host, environmentKind)),
    async updateHost(name, change) {
      const { affected } = await current().update(HostRow, { name: hostName(name) }, change);
      return affected === 1;
    },
    resources: ({ keys, ids } = {}) =>
      overLostConnections(async () => {
        const names = await environmentNames(current());
        const where = { ...(keys ? { key: In([...keys]) } : {}), ...(ids ? { id: In([...ids]) } : {}) };
        return (await current().find(ResourceRow, { where, order: { key: 'ASC' } })).map((row) => ({
          id: row.id,
          key: row.key,
          type: row.type,
          environment: names.get(row.environmentId) ?? '',
          attributes: row.attributes as Resource['attributes'],
        }));
      }),
    facts: (resourceKeys) =>
      overLostConnections(async () => {
        const where = resourceKeys ? { resource: In([...resourceKeys]) } : {};
        return (await current().find(FactRow, { where, order: { resource: 'ASC', capability: 'ASC' } })).map(
          toFact,
        );
      }),
    artifacts: ({ owner, operationId }) =>
      overLostConnections(async () => {
        const newest = current()
          .createQueryBuilder(ArtifactRow, 'a')
          .distinctOn(['a.owner', 'a.name'])
          .where('(a.keep = :resource or a.operationId = :operationId)', {
            resource: 'resource',
            operationId: operationId ?? null,
          })
          .orderBy({ 'a.owner': 'ASC', 'a.name': 'ASC', 'a.version': 'DESC' });
        if (owner !== undefined) newest.andWhere('a.owner = :owner', { owner });
        return (await newest.getMany()).map(toArtifact);
      }),
  };
}

async function addEnvironment(
  db: EntityManager,
  ids: { next(prefix: string): string },
  { name, kind }: Environment,
): Promise<void> {
  const values = { id: ids.next('env'), name, kind };
  await db.createQueryBuilder().insert().into(EnvironmentRow).values(values).orIgnore().execute();
}

async function addHost(
  tx: EntityManager,
  ids: { next(prefix: string): string },
  host: HostConnection,
  kind: Environment['kind'],
): Promise<'added' | 'exists'> {
  await addEnvironment(tx, ids, { name: host.environment, kind });
  const { id: environmentId } = await tx.findOneByOrFail(EnvironmentRow, { name: host.environment });
  await tx
    .createQueryBuilder()
    .insert()
    .into(ResourceRow)
    .values({ id: ids.next('res'), environmentId, key: host.key, type: 'node', attributes: {} })
    .orIgnore()
    .execute();
  const { id: resourceId } = await tx.findOneByOrFail(ResourceRow, { key: host.key });
  const { raw } = await tx
    .createQueryBuilder()
    .insert()
    .into(HostRow)
    .values({
      id: host.id,
      resourceId,
      environmentId,
      name: host.name,
      address: host.address,
      port: host.port,
      userName: host.user,
      credential: host.credential,
      hostKeyFingerprint: host.hostKeyFingerprint,
      runRoot: host.runRoot,
      secretRoot: host.secretRoot,
      provenance: host.provenance,
      isolated: host.isolated,
      tier: host.tier,
    })
    .orIgnore()
    .returning('id')
    .execute();
  return (raw as unknown[]).length === 1 ? 'added' : 'exists';
}

async function environmentNames(db: EntityManager): Promise<ReadonlyMap<string, string>> {
  return new Map((await db.find(EnvironmentRow)).map((row) => [row.id, row.name]));
}

function toEnvironment(row: EnvironmentRow): Environment {
  return { name: row.name, kind: row.kind as Environment['kind'] };
}

function toHost(row: HostRow, environments: ReadonlyMap<string, string>): HostConnection {
  return {
    id: row.id,
    name: row.name,
    key: `node/${row.name}`,
    environment: environments.get(row.environmentId) ?? '',
    address: row.address,
    port: row.port,
    user: row.userName,
    credential: row.credential,
    hostKeyFingerprint: row.hostKeyFingerprint,
    runRoot: row.runRoot,
    secretRoot: row.secretRoot,
    provenance: row.provenance as Provenance,
    isolated: row.isolated,
    tier: row.tier as HostConnection['tier'],
  };
}

function toFact(row: FactRow): Fact {
  return {
    resource: row.resource,
    capability: row.capability,
    state: row.state as FactState,
    attributes: row.attributes as Fact['attributes'],
    provenance: row.provenance as Provenance,
    evidence: row.evidence,
    checkDigest: row.checkDigest,
    packVersion: row.packVersion,
    provedAt: row.provedAt.toISOString(),
    freshUntil: row.freshUntil?.toISOString() ?? null,
  };
}

function toArtifact(row: ArtifactRow): ArtifactRecord & { readonly storage: ArtifactStorage } {
  return {
    id: row.id,
    owner: row.owner,
    name: row.name,
    version: row.version,
    sensitive: row.sensitive,
    size: Number(row.size),
    contentHash: row.contentHash,
    operationId: row.operationId,
    keep: row.keep as ArtifactRecord['keep'],
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    storage:
      row.storageKind === 'blob'
        ? { kind: 'blob', hash: row.storageRef }
        : { kind: 'secret', ref: row.storageRef },
  };
}
