import { text } from '@capstan/model';
import type { PlanOutcome, PlanRequest, PlanningLimits } from './world.js';
import { PLANNING_LIMITS } from './world.js';

/** Makes the plan for one intent, or says why there is none. Pure: the same request gives the same bytes. */
export function planIntent(request: PlanRequest, _limits: PlanningLimits = PLANNING_LIMITS): PlanOutcome {
  return { kind: 'refused', problems: [{ code: 'not_supported', text: text('plan.not_supported', { field: request.intent.action, where: 'planner' }) }] };
}
