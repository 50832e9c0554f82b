import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of this checkout: `apps/cli/src` and `apps/cli/dist` lie equally deep. */
export const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** What the environment tells the CLI. Folders are absolute. */
export interface Settings {
  readonly data: string;
  /** Null: the one in `server.json`. */
  readonly url: string | null;
  /** Null: the one in the token file that `server.json` names. */
  readonly token: string | null;
  /** Folders of packs for the offline verbs, the shipped ones first. */
  readonly packFolders: readonly string[];
}

export function readSettings(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): Settings {
  const more = (env.CAPSTAN_PACKS ?? '').split(':').filter((part) => part !== '');
  return {
    data: resolve(cwd, env.CAPSTAN_DATA || join(REPOSITORY, '.capstan')),
    url: env.CAPSTAN_URL || null,
    token: env.CAPSTAN_TOKEN || null,
    packFolders: [join(REPOSITORY, 'scenario-packs'), ...more.map((part) => resolve(cwd, part))],
  };
}
