import type { CreateResult, NewOperation } from '@capstan/engine';
import { CapstanError, evolve, initialState, packText } from '@capstan/model';
import type pg from 'pg';
import { actorText, toEventColumns } from '../event-row.js';
import { overLostConnections } from '../lost-connection.js';
import {
  ENSURE_RESOURCE,
  INSERT_EDGES,
  INSERT_EVENTS,
  INSERT_NODES,
  INSERT_OPERATION,
  INSERT_PLAN,
  INSERT_STAGES,
  RUNNING_OPERATION,
} from '../sql/insert-operation.js';
import { run } from '../sql/statement.js';
import { WAKE } from '../sql/wake.js';
import { jsonText, storable } from '../storable.js';
import type { Ending } from '../transaction.js';
import { transaction } from '../transaction.js';
import { fillKey, takeKey } from './idempotency-key.js';
import { numberText } from './operation-rows.js';

/** Everything a new operation is, and its wake-up, or nothing: refused while another one of its subject is not over. */
export async function createOperation(pool: pg.Pool, operation: NewOperation): Promise<CreateResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await overLostConnections(() => transaction(pool, (client) => insert(client, operation)));
    } catch (error) {
      // Two creations of one subject met at the index: the second look finds the winner.
      if (tries < 5 && (error as pg.DatabaseError).constraint === 'operations_one_per_subject') continue;
      throw error;
    }
  }
}

async function insert(client: pg.PoolClient, operation: NewOperation): Promise<Ending<CreateResult>> {
  const { plan } = operation;
  if (operation.idempotency) {
    const key = await takeKey(client, operation.idempotency);
    if (key === 'conflict') return { keep: false, value: { kind: 'idempotency_conflict' } };
    if (key !== 'taken')
      return { keep: false, value: { kind: 'repeated', id: key.operationId, number: key.number } };
  }
  const running = await run<{ id: string; number: number }>(client, RUNNING_OPERATION, [plan.subject.key]);
  const other = running.rows[0];
  if (other) {
    // After a lost answer to the commit it is this very operation that is found.
    const kind = other.id === operation.id ? 'created' : 'running';
    return { keep: false, value: { kind, id: other.id, number: numberText(other.number) } };
  }
  const resourceId = await ensureResource(client, operation.resourceId, plan.subject, plan.environment);
  await run(client, INSERT_PLAN, [
    operation.planId,
    plan.revision,
    plan.hash,
    plan.scenario.id,
    jsonText(plan),
    jsonText(plan.title),
  ]);
  const state = initialState(operation.id, plan.nodes);
  for (const event of operation.events) evolve(state, event);
  const inserted = await run<{ number: number }>(client, INSERT_OPERATION, [
    operation.id,
    plan.environment,
    resourceId,
    operation.planId,
    plan.subject.key,
    storable(packText(plan.title)),
    state.status,
    jsonText(state.reason),
    state.sequence,
    actorText(operation.createdBy),
  ]);
  const number = inserted.rows[0]?.number;
  if (number === undefined)
    throw new CapstanError('unknown_environment', `there is no environment ${plan.environment}`);
  await insertGraph(client, operation);
  if (operation.idempotency) await fillKey(client, operation.idempotency, operation.id, state.sequence);
  await run(client, WAKE, [operation.id]);
  return { keep: true, value: { kind: 'created', id: operation.id, number: numberText(number) } };
}

async function ensureResource(
  client: pg.PoolClient,
  newId: string,
  subject: NewOperation['plan']['subject'],
  environment: string,
): Promise<string> {
  for (let tries = 1; tries <= 2; tries += 1) {
    const { rows } = await run<{ id: string }>(client, ENSURE_RESOURCE, [
      newId,
      subject.key,
      subject.type,
      environment,
    ]);
    if (rows[0]) return rows[0].id;
    // Made by somebody else while we waited for it: only the next statement sees it.
  }
  throw new CapstanError('unknown_environment', `there is no environment ${environment}`);
}

async function insertGraph(
  client: pg.PoolClient,
  { id, plan, nodes, stages, events }: NewOperation,
): Promise<void> {
  const planned = new Map(plan.nodes.map((node, ordinal) => [node.key, { node, ordinal }]));
  const rows = nodes.map((state) => {
    const found = planned.get(state.key);
    if (!found) throw new CapstanError('unknown_node', `${state.key} is not in the plan of ${id}`);
    return { state, ...found };
  });
  await run(client, INSERT_NODES, [
    id,
    rows.map((r) => r.state.key),
    rows.map(() => plan.revision),
    rows.map((r) => r.ordinal),
    rows.map((r) => r.node.kind),
    rows.map((r) => r.node.stage),
    rows.map((r) => r.state.status),
    rows.map((r) => jsonText(r.state.reason)),
    rows.map((r) => r.state.pending),
    rows.map((r) => r.state.sequence),
    rows.map((r) => r.state.readySequence),
  ]);
  const edges = plan.nodes.flatMap((node) => node.dependsOn.map((source) => ({ source, target: node.key })));
  if (edges.length > 0)
    await run(client, INSERT_EDGES, [id, edges.map((e) => e.source), edges.map((e) => e.target)]);
  if (stages.length > 0) {
    await run(client, INSERT_STAGES, [
      id,
      stages.map((s) => s.id),
      stages.map((_, ordinal) => ordinal),
      stages.map((s) => s.status),
      stages.map((s) => s.done),
      stages.map((s) => s.total),
      stages.map((s) => s.sequence),
    ]);
  }
  const columns = events.map(toEventColumns);
  await run(client, INSERT_EVENTS, [
    id,
    columns.map((e) => e.sequence),
    columns.map((e) => e.v),
    columns.map((e) => e.type),
    columns.map((e) => e.actor),
    columns.map((e) => e.node_key),
    columns.map((e) => e.attempt_id),
    columns.map((e) => jsonText(e.data)),
  ]);
}
