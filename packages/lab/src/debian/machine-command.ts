import { spawn } from 'node:child_process';

/** How a command of this machine ended. */
export interface MachineEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface MachineOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Runs a command and gives how it ended; 127 when it is not there. */
export function ask(
  command: string,
  args: readonly string[],
  options: MachineOptions = {},
): Promise<MachineEnd> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], {
      cwd: options.cwd ?? '/',
      env: options.env ?? machineEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (error) => resolve({ code: 127, stdout, stderr: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 255, stdout, stderr }));
    // A command that ends before it has read its input is judged by its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/** Runs a command that has to succeed and gives its output; throws with what it said. */
export async function run(
  command: string,
  args: readonly string[],
  options: MachineOptions = {},
): Promise<string> {
  const end = await ask(command, args, options);
  if (end.code === 0) return end.stdout;
  const said = `${end.stderr}\n${end.stdout}`.trim().split('\n').slice(-5).join('\n');
  throw new Error(`${command} ${args.join(' ')} ended with ${end.code}: ${said}`);
}

/** What the tools of the machine need and no more: a locale of its own, the sbin folders on the path. */
export function machineEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C.UTF-8',
    DEBIAN_FRONTEND: 'noninteractive',
    HOME: '/root',
  };
}
