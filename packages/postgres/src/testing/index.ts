export { type FreshDatabase, startTestDatabase, type TestDatabase } from './test-database.js';
