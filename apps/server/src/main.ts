import 'reflect-metadata';
import { readRole } from './config.js';

// Each role loads only what it needs: a worker has no use for GraphQL, and every 100 ms count at a restart.
const role = readRole(process.argv[2]);
switch (role) {
  case 'supervisor': {
    const { supervise } = await import('./supervisor/supervise.js');
    endWith(await supervise());
    break;
  }
  case 'api': {
    const [{ startApi }, run] = await Promise.all([import('./roles/api.js'), runner()]);
    await run('api', startApi);
    break;
  }
  case 'worker': {
    const [{ startWorker }, run] = await Promise.all([import('./roles/worker.js'), runner()]);
    await run('worker', startWorker);
    break;
  }
  case 'migrate': {
    const { migrateDatabase } = await import('./roles/migrate.js');
    process.exitCode = await migrateDatabase(process.argv.includes('--json'));
    break;
  }
  case null:
    process.stderr.write(`no such role: ${process.argv[2]}; expected supervisor, api, worker or migrate\n`);
    process.exitCode = 2;
}

type Start = Parameters<typeof import('./roles/child.js').runAsChild>[1];

async function runner(): Promise<(name: 'api' | 'worker', start: Start) => Promise<void>> {
  if (process.connected) {
    const { runAsChild } = await import('./roles/child.js');
    return async (name, start) => runAsChild(name, start);
  }
  const { runAlone } = await import('./roles/alone.js');
  return async (name, start) => {
    // A stop that came to no end left something open that would keep this process alive.
    process.exit(await runAlone(name, start));
  };
}

/** What a start that was given up left open must not keep this process. */
function endWith(code: number): void {
  process.exit(code);
}
