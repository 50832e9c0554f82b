import { readSchema } from '../src/testing/read-schema.js';
import { startTestDatabase } from '../src/testing/test-database.js';

// Prints what schema.sql must contain: the schema that the migrations leave, read back from a server.
const server = await startTestDatabase();
try {
  process.stdout.write(await readSchema(server.connection));
} finally {
  await server.stop();
}
