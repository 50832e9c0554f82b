import type { Plan, Problem } from '@capstan/model';
import { hostName, text } from '@capstan/model';
import type { OperationStore } from './ports/operation-store.js';
import type { ReadModel } from './ports/read-model.js';

/** How many of a resource's newest operations are looked at for the one that made it what it is. */
const LOOK_BACK = 50;

/**
 * A resource that was proved on some hosts stays on them: the same intent with other hosts would build a second one and
 * leave the first to nobody. Moving is an action of its own, which a scenario would have to name.
 */
export async function placedElsewhere(
  deps: { readonly readModel: Pick<ReadModel, 'operations'>; readonly store: Pick<OperationStore, 'load'> },
  plan: Plan,
): Promise<Problem | null> {
  const operations = await deps.readModel.operations({ first: LOOK_BACK, subject: plan.subject.key });
  const proved = operations.find((operation) => operation.status === 'succeeded');
  const former = proved ? (await deps.store.load(proved.id))?.plan : undefined;
  if (!former || former.scenario.id !== plan.scenario.id) return null;
  const [before, now] = [hostsOf(former), hostsOf(plan)];
  if (before === now) return null;
  return {
    code: 'conflict',
    text: text('operation.placed_elsewhere', {
      resource: plan.subject.key,
      hosts: before,
      operation: proved?.number ?? '',
    }),
    expected: `hosts: [${before}], or another name`,
  };
}

function hostsOf(plan: Plan): string {
  return [...new Set(Object.values(plan.sets).flat())].sort().map(hostName).join(', ');
}
