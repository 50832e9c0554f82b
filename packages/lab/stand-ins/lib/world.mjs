/**
 * What a stand-in knows of the host that it runs on. Everything comes from the environment that the sandbox sets;
 * outside a sandbox host a stand-in refuses to run, because it would change the machine.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const environment = process.env;

if (!environment.CAPSTAN_LAB_STATE || !environment.HOST_ROOT) {
  process.stderr.write('this is a stand-in of a Capstan sandbox host; it does nothing outside one\n');
  process.exit(70);
}

export const world = {
  /** Folder of what stand-ins remember; it lives as long as the host. */
  state: environment.CAPSTAN_LAB_STATE,
  /** PostgreSQL's own `bin`, `lib` and `share`. */
  native: environment.CAPSTAN_LAB_NATIVE ?? '',
  /** Runs a command as another user of the host. */
  as: environment.CAPSTAN_LAB_AS ?? '',
  /** The host's name. */
  host: environment.CAPSTAN_LAB_HOST ?? 'sandbox',
  /** True where the host has namespaces of its own; else it is a folder and paths get its prefix. */
  isolated: environment.CAPSTAN_LAB_ISOLATION === 'userns',
};

/** A path of the host, as this process must write it. */
export function hostPath(path) {
  return join(environment.HOST_ROOT, path);
}

/**
 * Whether anything stands at `path`. Not by access(2), which ignores the one right that the server's user keeps where
 * the host has no namespaces.
 */
export function isThere(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The account's line of the host's own /etc/passwd, by name or id. */
export function account(nameOrId) {
  const file = hostPath('/etc/passwd');
  if (!isThere(file)) return undefined;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [name, , uid, gid, , home, shell] = line.split(':');
    if (name === String(nameOrId) || (uid !== undefined && uid === String(nameOrId))) {
      return { name, uid: Number(uid), gid: Number(gid), home, shell };
    }
  }
  return undefined;
}

/** Who runs this, as the host names them. Without namespaces the process id says nothing, so the login name does. */
export function currentUser() {
  const byId = world.isolated ? account(process.getuid())?.name : undefined;
  return byId ?? environment.USER ?? 'root';
}

/** Ends the stand-in with words on standard error. */
export function fail(text, code = 1) {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

/**
 * Fails on demand: `fail/<tool>` in the state folder holds the exit code in its first line and the words below it.
 */
export function failOnDemand(tool) {
  const file = join(world.state, 'fail', tool);
  if (!isThere(file)) return;
  const [code = '1', ...words] = readFileSync(file, 'utf8').trimEnd().split('\n');
  fail(words.join('\n'), Number.parseInt(code, 10) || 1);
}

/** The environment for what goes on running by itself: nothing of the command that started it stays on it. */
export function serviceEnvironment() {
  const kept = Object.entries(environment).filter(
    ([name]) => name.startsWith('CAPSTAN_LAB_') || ['PATH', 'HOST_ROOT', 'HOSTNAME', 'TMPDIR'].includes(name),
  );
  return { ...Object.fromEntries(kept), LANG: 'C.UTF-8' };
}
