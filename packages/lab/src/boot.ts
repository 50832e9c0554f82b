import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import type { Invocation } from './namespace.js';

/** Where a boot program runs and what becomes of its output. */
export interface BootPlace {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly logFile: string;
  readonly timeoutMs: number;
}

/**
 * Runs `program` on the host if it exists and waits for it at most `timeoutMs`; it goes on after that. Resolves to
 * what went wrong, in words, or undefined. Its output goes to a file: services it starts keep the stream open.
 */
export async function runBootProgram(
  program: string,
  enter: (argv: readonly string[]) => Invocation,
  place: BootPlace,
): Promise<string | undefined> {
  if (!existsSync(program)) return undefined;
  const log = openSync(place.logFile, 'w', 0o600);
  const { file, args } = enter([program]);
  const child = spawn(file, [...args], {
    cwd: place.cwd,
    env: place.env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      child.unref();
      resolve(`${program} still runs after ${place.timeoutMs / 1000} s`);
    }, place.timeoutMs);
    child.once('error', (error) => {
      clearTimeout(late);
      resolve(`${program}: ${error.message}`);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      resolve(
        code === 0 ? undefined : `${program} ended with ${signal ?? code}: ${lastLines(place.logFile)}`,
      );
    });
  });
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-3).join(' | ');
}
