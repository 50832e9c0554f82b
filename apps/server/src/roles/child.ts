import type { ToChild, ToSupervisor } from '../child-messages.js';
import type { RoleConfig } from '../config.js';
import { type Logger, openLog } from '../log.js';
import { type RunningRole, StartRefused } from './running-role.js';

type StartRole = (config: RoleConfig, log: Logger) => Promise<RunningRole>;

/** Runs a role for the supervisor until it says stop, or is gone: nothing may outlive it. */
export function runAsChild(name: 'api' | 'worker', start: StartRole): void {
  let running: RunningRole | null = null;
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await running?.stop();
    process.exit(0);
  };
  const stopOrFail = (): void => {
    stop().catch((error: unknown) => {
      process.stderr.write(`${name}: ${String(error)}\n`);
      process.exit(1);
    });
  };
  // A Ctrl-C reaches the whole group; the supervisor decides in which order things end.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', stopOrFail);
  process.on('disconnect', stopOrFail);
  process.on('message', (message: ToChild) => {
    if (message.kind === 'stop') return stopOrFail();
    const log = openLog(message.config.data, name, message.config.logLevel);
    start(message.config, log).then(
      (role) => {
        running = role;
        if (stopping) stopOrFail();
        else tell({ kind: 'ready' });
      },
      (error: unknown) => {
        if (!(error instanceof StartRefused)) log.error({ err: error }, 'cannot start');
        tell({
          kind: 'refused',
          line: (error as Error).message,
          portTaken: error instanceof StartRefused && error.portTaken,
        });
        process.exitCode = 1;
        process.disconnect();
      },
    );
  });
  tell({ kind: 'hello' });
}

function tell(message: ToSupervisor): void {
  process.send?.(message);
}
