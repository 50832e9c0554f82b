import type { Database } from '@capstan/postgres';
import { StartRefused } from './running-role.js';

/** Refuses to start on another schema than this build's, in one line that says what to do. */
export async function requireSchema(database: Pick<Database, 'schema'>): Promise<void> {
  const { present, needed } = await database.schema();
  if (present === needed) return;
  throw new StartRefused(
    `the database has schema ${present}, this version needs ${needed}: stop every Capstan that uses it and run capstan migrate with this DATABASE_URL`,
  );
}
