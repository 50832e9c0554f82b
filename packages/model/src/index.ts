export { type Actor, ENGINE } from './actor.js';
export { type ArtifactRecord, type ArtifactType, artifactLimit, type Generator } from './artifact.js';
export { bytesHash, canonicalHash, canonicalJson, planHash } from './canonical.js';
export type { CapabilityRef, CapabilityType, On, Requirement } from './capability.js';
export { type Evidence, type Judgement, judge, type RunEnd, type Verdict } from './evidence.js';
export {
  CHECK_SCOPE,
  type ExpressionResult,
  type ExpressionScope,
  type Expressions,
  PLAN_SCOPE,
} from './expressions.js';
export type { Gate } from './gate.js';
export type { Intent } from './intent.js';
export {
  type ArtifactInput,
  type ArtifactOutput,
  type Check,
  type Contract,
  type Job,
  type JobPlace,
  type ParameterSource,
  qualified,
  RISK_LEVELS,
  type RiskLevel,
  type Run,
} from './job.js';
export {
  type AttemptState,
  EVENT_VERSION,
  evolve,
  initialState,
  type NodeState,
  type OperationEvent,
  type OperationEventBody,
  type OperationEventType,
  type OperationState,
  stoppedNodes,
} from './operation.js';
export {
  type Customizations,
  type Intervention,
  PLAN_CHANGE_KINDS,
  type PlanChange,
  type PlanPatch,
} from './patch.js';
export { anchored, applyPatch, type PatchCommand, type PatchedPlan, validatePatch } from './patch-apply.js';
export type {
  Binding,
  Candidate,
  Plan,
  PlanGate,
  PlanNode,
  PlanNodeKind,
  PlannedArtifact,
  PlannedCapability,
  PlannedCheck,
  PlannedOutput,
  PlannedProof,
  PlannedValue,
  PlanStage,
} from './plan.js';
export {
  cycleProblem,
  downstreamOf,
  type GraphNode,
  type NodeOrder,
  topologicalOrder,
  upstreamOf,
  validatePlan,
} from './plan-graph.js';
export {
  CapstanError,
  type Outcome,
  ok,
  type Place,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  refused,
} from './problem.js';
export { REASON_CODES, type Reason, type ReasonCode, reason } from './reason.js';
export { createRedactor, maskAll, type Redactor, type SecretsToMask } from './redact.js';
export { renderReason, renderText } from './render.js';
export { renderEvent } from './render-event.js';
export { PLAN_TEXTS } from './render-plan.js';
export {
  type Environment,
  FACT_STATES,
  type Fact,
  type FactState,
  type HostView,
  hostKey,
  hostName,
  type Provenance,
  type Resource,
  resolves,
} from './resource.js';
export type { Catalog, HostSet, Pack, ResourceType, Scenario, Stage } from './scenario.js';
export { isPackText, schemaInLanguage } from './schema-words.js';
export {
  ATTEMPT_MOVES,
  ATTEMPT_STATUSES,
  type AttemptStatus,
  GATE_STATUSES,
  type GateStatus,
  isAttemptEnd,
  isEnd,
  mayMove,
  NODE_MOVES,
  NODE_STATUSES,
  type NodeStatus,
  needsPerson,
  OPERATION_MOVES,
  OPERATION_STATUSES,
  type OperationStatus,
} from './states.js';
export { type JsonValue, type PackText, packText, type Text, text } from './text.js';
export { versionInRange } from './version-range.js';
