import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Console } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { REPOSITORY } from '../settings.js';
import { failure } from '../shown-problem.js';

const SERVER = join(REPOSITORY, 'apps/server/dist/main.js');

/**
 * `migrate`: brings the database of `DATABASE_URL` to this version's schema. The server does it in a process of its own:
 * the command line knows no database, and no server may run on the old schema meanwhile.
 */
export async function migrate(console: Console, server = SERVER): Promise<ExitCode> {
  if (!existsSync(server))
    return console.fail(failure(EXIT.failed, 'server_error', `${server} is not built: run npm start once`));
  const { code, stdout, stderr } = await run(server);
  if (code !== 0) {
    const words = stderr.trim().split('\n').join('; ') || `the migration ended with code ${code}`;
    return console.fail(failure(code === 2 ? EXIT.refused : EXIT.failed, 'migration_failed', words));
  }
  const { from, to } = JSON.parse(stdout) as { from: number; to: number };
  console.document({ from, to });
  console.say(from === to ? `the schema is ${to} already` : `the schema was ${from} and is ${to}`);
  return EXIT.ok;
}

function run(server: string): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [server, 'migrate', '--json'], (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, stdout, stderr });
    });
  });
}
