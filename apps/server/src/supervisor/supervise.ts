import { randomUUID } from 'node:crypto';
import { type Config, readConfig } from '../config.js';
import { openLog } from '../log.js';
import { bringUp } from './bring-up.js';
import { Cleanup } from './cleanup.js';
import { openDataFolder } from './data-folder.js';
import { findRunning } from './running-server.js';

/** `npm start`: brings everything up, keeps it up, and takes it down. Resolves with the exit code of the process. */
export async function supervise(): Promise<number> {
  const read = readConfig();
  if (!read.ok) return complain(...read.lines);
  const stop = new AbortController();
  // Later signals change nothing: what was started is being ended, and the starter kills what hangs.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  for (;;) {
    const folder = openDataFolder(read.config.data);
    if (folder.kind === 'unusable') return complain(folder.line);
    if (folder.kind === 'opened') {
      try {
        return await run(read.config, stop.signal);
      } finally {
        folder.release();
      }
    }
    const found = await findRunning(read.config.data, folder.by);
    if (found.kind === 'running') {
      say(`Capstan is already running: ${found.url}`);
      return 0;
    }
    if (found.kind === 'silent') {
      return complain(
        `Process ${folder.by} uses ${read.config.data} and does not answer: end it, or wait for it.`,
      );
    }
  }
}

async function run(config: Config, stop: AbortSignal): Promise<number> {
  const log = openLog(config.data, 'supervisor', config.logLevel);
  const cleanup = new Cleanup(log);
  const stopped = new Promise<'stop'>((resolve) => {
    if (stop.aborted) resolve('stop');
    else stop.addEventListener('abort', () => resolve('stop'), { once: true });
  });
  try {
    const coming = bringUp({ config, instance: randomUUID(), log, cleanup, stop, say });
    const first = await Promise.race([coming, stopped]);
    if (first === 'stop') {
      coming.catch((error: unknown) => log.info({ err: error }, 'the start was given up'));
      return 0;
    }
    if (first.signInUrl !== null) say(`Sign in once: ${first.signInUrl}`);
    say(`Capstan is ready: ${first.url}`);
    const end = await Promise.race([stopped, first.broken]);
    return end === 'stop' ? 0 : complain(end);
  } catch (error) {
    log.info({ err: error }, 'the start failed');
    return complain(startProblem(error as Error, config.data));
  } finally {
    say('Stopping');
    await cleanup.run();
  }
}

/** Whoever meets the full disk first names it in words of its own, and which one that is depends on the size. */
function startProblem(error: Error, data: string): string {
  if (!/ENOSPC|No space left on device/i.test(error.message)) return error.message;
  return `The disk that holds ${data} is full: a start needs about 150 MB there (${error.message})`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(...lines: readonly string[]): number {
  for (const line of lines) process.stderr.write(`${line}\n`);
  return 1;
}
