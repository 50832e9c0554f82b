export { ACTION_VERBS, type ActionVerb, type AllowedAction, actionsOf, nodeActionsOf } from './actions.js';
export { type Authorize, allowAll, notAllowed, type Verb } from './authorize.js';
export { BLOCKER_KINDS, type Blocker, type BlockerKind, blockersOf } from './blockers.js';
export {
  ControlPlane,
  type ControlPlaneDependencies,
  type DocumentSource,
} from './control-plane.js';
export { DEFAULT_OPTIONS, type EngineDependencies, type EngineOptions } from './dependencies.js';
export type { HostInput } from './host-input.js';
export {
  type FoldersLeft,
  Maintenance,
  type MaintenanceDependencies,
  type PruneReport,
} from './maintenance.js';
export type {
  AttemptBundle,
  AttemptProbe,
  AttemptRef,
  Blocked,
  CancelResult,
  CheckAnswer,
  CheckCall,
  CollectResult,
  HostConnection,
  HostEnrolment,
  HostFile,
  HostPort,
  HostProgram,
  Redaction,
  RunResult,
  RunSink,
  ScannedKey,
  WantedOutput,
} from './ports/host-port.js';
export type {
  LiveAttemptRow,
  LiveLog,
  LiveNodeRow,
  LiveReads,
  LiveRows,
} from './ports/live-reads.js';
export type {
  DueFolder,
  KeyRotation,
  Keys,
  PruneItem,
  PruneKind,
  Retention,
  RetentionAges,
} from './ports/maintenance.js';
export type {
  OperationFilter,
  OperationLists,
  OperationSummary,
  StoredPlan,
} from './ports/operation-lists.js';
export type {
  ArtifactWrite,
  CommandResult,
  CommitResult,
  CreateResult,
  FactWrite,
  IdempotencyKey,
  Lease,
  NewOperation,
  OperationChange,
  OperationStore,
  ProofWrite,
  StageWrite,
  StoredOperation,
} from './ports/operation-store.js';
export type {
  Audit,
  EventGap,
  ReadModel,
  StoredAttempt,
  StoredEvent,
  Tokens,
} from './ports/read-model.js';
export type {
  NodeOfOperation,
  OperationAttempt,
  RecordPage,
  Records,
  StoredArtifact,
  StoredEvidence,
} from './ports/records.js';
export type { Answered, Begun, Requests } from './ports/requests.js';
export type { SessionLasts, Sessions } from './ports/sessions.js';
export {
  type ArtifactStorage,
  type BlobStore,
  type Clock,
  type Feed,
  type Ids,
  type Inventory,
  type LogStore,
  type PackStore,
  type ProofStore,
  proofKey,
  type Secrets,
  type WakeUps,
} from './ports/stores.js';
export { type Progress, progressOf } from './progress.js';
export { rebuild } from './rebuild.js';
export {
  type RunHistory,
  type RunNode,
  type RunOperation,
  type RunView,
  stepName,
  type Usual,
} from './run-view.js';
export { systemClock } from './system-clock.js';
export { Watching, type WatchingDependencies, type WatchRights } from './watching.js';
export { Worker } from './worker.js';
