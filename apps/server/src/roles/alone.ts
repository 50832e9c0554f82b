import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type RoleConfig, readConfig } from '../config.js';
import { type Logger, openLog } from '../log.js';
import type { RunningRole } from './running-role.js';

/** Runs one role without a supervisor, against the database that `DATABASE_URL` names; ends with the process's code. */
export async function runAlone(
  name: 'api' | 'worker',
  start: (config: RoleConfig, log: Logger) => Promise<RunningRole>,
): Promise<number> {
  const read = readConfig();
  if (!read.ok) return say(read.lines);
  const { databaseUrl } = read.config;
  if (databaseUrl === null) {
    return say([
      `the role ${name} alone needs DATABASE_URL; npm start runs all of it with a database of its own`,
    ]);
  }
  mkdirSync(read.config.data, { recursive: true, mode: 0o700 });
  const log = openLog(read.config.data, name, read.config.logLevel);
  try {
    const running = await start({ ...read.config, databaseUrl, instance: randomUUID() }, log);
    process.stdout.write(`Capstan ${name} is ready\n`);
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve());
      process.once('SIGTERM', () => resolve());
    });
    await running.stop();
    return 0;
  } catch (error) {
    return say([(error as Error).message]);
  }
}

function say(lines: readonly string[]): number {
  for (const line of lines) process.stderr.write(`${line}\n`);
  return 1;
}
