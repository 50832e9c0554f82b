import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from './environment.mjs';
import { prepare } from './prepare.mjs';
import { repositoryRoot } from './repository.mjs';

// The promise is "all stopped within 10 s"; half a second of it is left for the kernel to reap.
const killAfter = 9_500;
// npm forwards the signal that the terminal has already sent to the whole group: the second one is an echo.
const echoWithin = 1_000;
// Read at once: npm may be killed while this installs.
const parent = process.ppid;

/** Brings the checkout up to date, then runs the server in the foreground and ends with its exit code. */
export async function startServer(args) {
  const prepared = await prepare(repositoryRoot, console.log);
  if (!prepared.ok) {
    for (const line of prepared.lines) console.error(line);
    process.exitCode = 1;
    return;
  }
  process.exitCode = await runInForeground(
    [join(repositoryRoot, 'apps/server/dist/main.js'), ...args],
    childEnvironment(repositoryRoot),
  );
}

/** A group of its own for the server, so that a Ctrl-C reaches it once and a last kill reaches all of it. */
function runInForeground(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', ...args], {
      env,
      stdio: 'inherit',
      detached: true,
    });
    const stopForwarding = forwardStops(child);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

function forwardStops(child) {
  let last = 0;
  let deadline;
  const stop = (signal) => {
    const now = Date.now();
    if (now - last < echoWithin) return;
    last = now;
    child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    deadline ??= setTimeout(() => killGroup(child.pid), killAfter);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const watch = watchParent(() => stop('SIGTERM'));
  return () => {
    clearTimeout(deadline);
    clearInterval(watch);
    for (const signal of signals) process.removeListener(signal, stop);
  };
}

/**
 * A killed npm leaves its child behind, and with it a server that nobody would look for. Not without npm:
 * whoever starts this file directly may mean to leave it running when the shell ends.
 */
function watchParent(gone) {
  if (process.env.npm_lifecycle_event !== 'start') return undefined;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    gone();
  }, 250);
  return watch;
}

function killGroup(pid) {
  console.error('The server did not stop in time; ending it.');
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
