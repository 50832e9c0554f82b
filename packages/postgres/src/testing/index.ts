export { statementsOf } from './count-statements.js';
export { type FreshDatabase, startTestDatabase, type TestDatabase } from './test-database.js';
