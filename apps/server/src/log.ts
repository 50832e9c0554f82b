import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { destination, type Logger, multistream, pino } from 'pino';
import type { LogLevel } from './config.js';

export type { Logger } from 'pino';

const KEPT_BYTES = 16 * 1024 * 1024;
/** What waits for a disk that takes nothing; more is dropped. */
const WAITING_BYTES = 1024 * 1024;

/** Logs of one process: all to `<data>/logs/<process>.log`, warnings to stderr as one line for people. */
export function openLog(data: string, processName: string, level: LogLevel): Logger {
  const folder = join(data, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${processName}.log`);
  setAside(file);
  // A full disk costs lines, and not the process that wants to write them: unheard, this error would end it.
  const kept = destination({ dest: file, sync: true, mode: 0o600, maxLength: WAITING_BYTES });
  kept.once('error', (error: Error) =>
    process.stderr.write(`${processName}: ${file} cannot be written: ${error.message}\n`),
  );
  kept.on('error', () => undefined); // told once
  return pino(
    {
      level,
      base: { process: processName, pid: process.pid },
      // The last net: no code may put one of these into an entry.
      redact: {
        paths: ['token', '*.token', 'password', '*.password', 'authorization', '*.authorization'],
        censor: '***',
      },
    },
    multistream([
      { level, stream: kept },
      { level: 'warn', stream: warningLines(processName) },
    ]),
  );
}

/** One old file is kept; it is turned at a start, so that a running process never loses its file. */
function setAside(file: string): void {
  if (!existsSync(file) || statSync(file).size < KEPT_BYTES) return;
  rmSync(`${file}.1`, { force: true });
  renameSync(file, `${file}.1`);
}

function warningLines(processName: string): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const { msg, err } = JSON.parse(chunk.toString('utf8')) as { msg?: string; err?: { message?: string } };
      const cause = err?.message && !msg?.includes(err.message) ? `: ${err.message.split('\n')[0]}` : '';
      process.stderr.write(`${processName}: ${msg ?? ''}${cause}\n`, () => done());
    },
  });
}
