export { explain } from './explain.js';
export { planIntent } from './plan.js';
export type { PlanPresentation } from './present.js';
export { presentPlan } from './present.js';
export type { PlanningLimits, PlanOutcome, PlanRequest, World } from './world.js';
export { PLANNING_LIMITS } from './world.js';
