export { memoryEngine, testExpressions, testHost, TEST_OPTIONS, testPlan, type MemoryEngine, type TestNode } from './memory-engine.js';
export { newOperation } from '../new-operation.js';
export { MemoryOperations } from './memory-operations.js';
export { CountingIds, MemoryBlobs, MemoryInventory, MemoryLogs, MemoryPacks, MemorySecrets, MemoryWakeUps, silentFeed } from './memory-stores.js';
export { ScriptedHosts, type ScriptedCheck, type ScriptedProgram, type ScriptedRun } from './scripted-hosts.js';
