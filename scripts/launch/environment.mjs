import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * The environment for everything that the scripts start: loopback bypasses any proxy, and where the home
 * folder cannot be written, the caches of npm and pnpm go to `<data>/cache`.
 */
export function childEnvironment(root, env = process.env, home = homedir()) {
  const child = { ...env, ...withoutProxyForLoopback(env) };
  if (env.CAPSTAN_DATA) child.CAPSTAN_DATA = resolve(env.CAPSTAN_DATA);
  if (canCreate(join(home, '.npm'))) return child;
  const cache = join(dataFolder(root, env), 'cache');
  // npm exports its own cache path to scripts, so the variable being set says nothing about the person's wish.
  if (!env.npm_config_cache || !canCreate(env.npm_config_cache)) child.npm_config_cache = join(cache, 'npm');
  child.npm_config_store_dir = env.npm_config_store_dir || join(cache, 'pnpm-store');
  for (const [name, folder] of [
    ['XDG_CACHE_HOME', 'xdg-cache'],
    ['XDG_DATA_HOME', 'xdg-data'],
    ['XDG_STATE_HOME', 'xdg-state'],
  ]) {
    child[name] = env[name] || join(cache, folder);
  }
  return child;
}

/** Where this installation keeps its state: `CAPSTAN_DATA`, else `.capstan` in the repository. */
export function dataFolder(root, env = process.env) {
  return env.CAPSTAN_DATA ? resolve(env.CAPSTAN_DATA) : join(root, '.capstan');
}

/** Whether `path` can be written, or made in the nearest folder above it that exists. */
export function canCreate(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    if (error.code !== 'ENOENT' || dirname(path) === path) return false;
    return canCreate(dirname(path));
  }
}

function withoutProxyForLoopback(env) {
  const listed = (env.NO_PROXY || env.no_proxy || '').split(',').map((name) => name.trim());
  // check-allow localhost: a name in a list of what bypasses the proxy, not an address to connect to
  const value = [...new Set([...listed.filter(Boolean), '127.0.0.1', 'localhost'])].join(',');
  return { NO_PROXY: value, no_proxy: value };
}
