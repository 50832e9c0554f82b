import { after } from 'node:test';
import type { DatabaseOptions } from '../database.js';
import { startTestDatabase, type TestDatabase } from './test-database.js';

/** The test database of a file, stopped after its tests; to be awaited at the top of the file. */
export async function startFileDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  const server = await startTestDatabase(options);
  after(() => server.stop());
  return server;
}
