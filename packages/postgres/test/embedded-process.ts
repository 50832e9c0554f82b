import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EmbeddedOptions } from '@capstan/postgres';
import pg from 'pg';

export interface StarterProcess {
  readonly child: ChildProcess;
  /** What it printed: the address and the server's process, or why there is none. */
  readonly said:
    | { url: string; pid: number; nativeDir: string; log: string[] }
    | { error: string; code?: string; log: string[] };
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('./embedded-program.ts', import.meta.url));

/** Starts the embedded server from a process of its own: as another user, in another environment, to be killed. */
export async function startInProcess(
  options: EmbeddedOptions,
  how: {
    readonly prefix?: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
    readonly wait?: boolean;
  } = {},
): Promise<StarterProcess> {
  const [file = '', ...args] = [
    ...(how.prefix ?? []),
    process.execPath,
    '--conditions=capstan-source',
    '--import',
    './scripts/swc-hook.mjs',
    PROGRAM,
    JSON.stringify(options),
  ];
  const child = spawn(file, args, {
    cwd: ROOT,
    env: how.env ?? process.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said =
    how.wait === false
      ? { error: 'not asked', log: [] }
      : JSON.parse((await once(createInterface({ input: child.stdout }), 'line'))[0] as string);
  return {
    child,
    said,
    async stop() {
      const exit = once(child, 'exit');
      child.stdin.end('stop\n');
      await exit;
    },
  };
}

/** Asks a server one question. */
export async function ask(
  connection: pg.ClientConfig | string,
  question: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}
