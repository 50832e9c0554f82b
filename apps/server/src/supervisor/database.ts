import { type EmbeddedServer, startEmbedded } from '@capstan/postgres';
import type { Logger } from '../log.js';

/** The embedded PostgreSQL, kept alive. */
export interface OwnDatabase {
  /** Of the server that runs now: a restart may move its socket. */
  readonly url: string;
  readonly nativeDir: string;
  /** Resolves with a line when it died and could not be started again. */
  readonly lost: Promise<string>;
  /** Told after each restart, when the new address holds. */
  onRestart(act: () => Promise<void>): void;
  stop(): Promise<void>;
}

/** Starts the embedded PostgreSQL and starts it again when it dies: operations go on where they were. */
export async function keepDatabase(data: string, log: Logger): Promise<OwnDatabase> {
  const start = (): Promise<EmbeddedServer> =>
    startEmbedded({ dataDir: data, log: (line) => log.warn(line) });
  let server = await start();
  let stopping = false;
  let act: () => Promise<void> = () => Promise.resolve();
  let restarting: Promise<void> = Promise.resolve();
  const lost = new Promise<string>((resolve) => {
    const watch = (): void => {
      server.ended.then((how) => {
        if (stopping) return;
        log.warn(`${how}; starting the database again`);
        restarting = start().then(
          async (next) => {
            server = next;
            if (stopping) return server.stop();
            watch();
            await act().catch((error: unknown) =>
              log.error({ err: error }, 'not everybody follows the database'),
            );
          },
          (error: unknown) => resolve(`The database is lost: ${(error as Error).message}`),
        );
      }, resolve);
    };
    watch();
  });
  return {
    get url() {
      return server.url;
    },
    get nativeDir() {
      return server.nativeDir;
    },
    lost,
    onRestart(next) {
      act = next;
    },
    async stop() {
      stopping = true;
      await restarting;
      await server.stop();
    },
  };
}
