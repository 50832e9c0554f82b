import { readFileSync } from 'node:fs';
import { ask, type MachineEnd, type MachineOptions, machineEnvironment } from './machine-command.js';
import { childrenOf, type FoundProcess, findProcesses } from './process-search.js';

/** The nspawn process of a host, when it runs. */
export function supervisorOf(machine: string): FoundProcess | undefined {
  return findProcesses(([name, ...args]) => isNspawn(name) && args.includes(`--machine=${machine}`))[0];
}

/** The pid, as this machine counts, of the process that is PID 1 inside a host. */
export function leaderOf(machine: string): number | undefined {
  const supervisor = supervisorOf(machine);
  return supervisor && childrenOf(supervisor.pid).find(isInit);
}

/** Runs a command inside a host as root, past SSH, which may be what is broken. */
export async function inside(
  machine: string,
  command: readonly string[],
  options: MachineOptions = {},
): Promise<MachineEnd> {
  const leader = leaderOf(machine);
  if (leader === undefined) throw new Error(`${machine} is not running`);
  const spaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '--root', '--wd'];
  return ask('nsenter', [`--target=${leader}`, ...spaces, '--', ...command], {
    env: machineEnvironment(),
    ...options,
  });
}

/** Whether a command name is that of the container manager. */
export function isNspawn(name: string | undefined): boolean {
  return name !== undefined && /(^|\/)systemd-nspawn$/.test(name);
}

function isInit(pid: number): boolean {
  try {
    return /^NSpid:\s+\d+\s+1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false; // It ended while the table was read.
  }
}
