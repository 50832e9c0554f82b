import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BROWSERS } from '../browsers.mjs';
import { runStep } from './run-step.mjs';

const [shell] = BROWSERS;

/**
 * Installs Debian's headless Chromium where it is missing and may be installed: as root on a Debian. Where that fails, any
 * other browser will do; where there is none, the suite says what to do.
 */
export async function prepareBrowser(say, env = process.env) {
  const folders = (env.PATH ?? '').split(delimiter);
  const has = (name) => folders.some((folder) => existsSync(join(folder, name)));
  const isDebian = existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
  if (env.CAPSTAN_CHROMIUM || has(shell) || !isDebian || process.getuid?.() !== 0) return;
  const title = 'Installing Chromium for the browser tests';
  say(`${title} (about a minute)`);
  const apt = (...args) =>
    runStep({
      title,
      command: 'apt-get',
      args: ['-q', ...args],
      cwd: '/',
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      say,
    });
  const install = (name) => apt('install', '-y', '--no-install-recommends', name);
  let result = await install(shell);
  // Without lists, or with old ones, the package is not found.
  if (!result.ok && (await apt('update')).ok) result = await install(shell);
  // Not every release has the shell.
  if (!result.ok && !BROWSERS.some(has)) result = await install('chromium');
  if (!result.ok && !BROWSERS.some(has))
    say(`Chromium cannot be installed: ${result.output.trim().split('\n').at(-1)}`);
}
