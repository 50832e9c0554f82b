import type { Actor, Plan } from '@capstan/model';
import { initialState } from '@capstan/model';
import { Batch } from './batch.js';
import type { IdempotencyKey, NewOperation } from './ports/operation-store.js';
import type { Ids } from './ports/stores.js';
import { allStages } from './stages.js';

/** The first rows and the first event of an operation of this plan. */
export function newOperation(
  plan: Plan,
  ids: Ids,
  by: { readonly actor: Actor; readonly idempotency: IdempotencyKey | null },
): NewOperation {
  const id = ids.next('op');
  const batch = new Batch(initialState(id, plan.nodes), plan, by.actor);
  batch.emit({ type: 'operation_planned' });
  return {
    id,
    planId: ids.next('plan'),
    plan,
    createdBy: by.actor,
    resourceId: ids.next('res'),
    events: batch.emitted,
    nodes: [...batch.state.nodes.values()],
    stages: allStages(plan, batch.state),
    idempotency: by.idempotency,
  };
}
