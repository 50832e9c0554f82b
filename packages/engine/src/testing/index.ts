export { newOperation } from '../new-operation.js';
export {
  type MemoryEngine,
  memoryEngine,
  TEST_OPTIONS,
  type TestNode,
  testExpressions,
  testHost,
  testPlan,
} from './memory-engine.js';
export { MemoryOperations } from './memory-operations.js';
export { memoryReadModel, type Pruned } from './memory-read-model.js';
export { MemoryRequests } from './memory-requests.js';
export {
  CountingIds,
  MemoryBlobs,
  MemoryInventory,
  MemoryLogs,
  MemoryPacks,
  MemorySecrets,
  MemoryWakeUps,
  silentFeed,
} from './memory-stores.js';
export {
  type ScriptedCheck,
  ScriptedHosts,
  type ScriptedProgram,
  type ScriptedRun,
} from './scripted-hosts.js';
