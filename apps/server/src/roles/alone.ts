import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RoleConfig, readConfig } from '../config.js';
import { type Logger, openLog } from '../log.js';
import type { RunningRole } from './running-role.js';

/** Within the 10 s in which all of Capstan stops. */
const STOP_MS = 8_000;

/**
 * Runs one role without a supervisor, against the database that `DATABASE_URL` names, until INT or TERM. Resolves with
 * the process's code, also when the stop takes longer than `stopMs`: while the database is away nothing can be let go
 * of, and leases run out by themselves.
 */
export async function runAlone(
  name: 'api' | 'worker',
  start: (config: RoleConfig, log: Logger) => Promise<RunningRole>,
  stopMs = STOP_MS,
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
    const late = new AbortController();
    const end = await Promise.race([
      running.stop().then(() => 'stopped' as const),
      sleep(stopMs, 'late' as const, { signal: late.signal }),
    ]);
    late.abort();
    return end === 'stopped' ? 0 : say([`${name}: not stopped within ${stopMs} ms, ending anyway`]);
  } catch (error) {
    return say([(error as Error).message]);
  }
}

function say(lines: readonly string[]): number {
  for (const line of lines) process.stderr.write(`${line}\n`);
  return 1;
}
