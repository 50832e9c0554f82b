import { openDatabase } from '@capstan/postgres';
import { readConfig } from '../config.js';

/** Brings the database that `DATABASE_URL` names to this version's schema; ends with the process's code. */
export async function migrateDatabase(json: boolean): Promise<number> {
  const read = readConfig();
  if (!read.ok) return complain(2, ...read.lines);
  const { databaseUrl, data } = read.config;
  if (databaseUrl === null)
    return complain(
      2,
      'migrate needs DATABASE_URL; the database of npm start is brought up to date by npm start',
    );
  try {
    const database = await openDatabase({ url: databaseUrl, dataDir: data, owner: 'migrate' });
    try {
      const { present: from, needed: to } = await database.schema();
      await database.migrate();
      const words = from === to ? `the schema is ${to} already` : `the schema was ${from} and is ${to}`;
      process.stdout.write(`${json ? JSON.stringify({ from, to }) : words}\n`);
      return 0;
    } finally {
      await database.close();
    }
  } catch (error) {
    return complain(1, (error as Error).message);
  }
}

function complain(code: number, ...lines: readonly string[]): number {
  for (const line of lines) process.stderr.write(`${line}\n`);
  return code;
}
