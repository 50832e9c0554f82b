export { statementsOf } from './count-statements.js';
export { startFileDatabase } from './file-database.js';
export { type FreshDatabase, startTestDatabase, type TestDatabase } from './test-database.js';
