/** apt's locks: a file with the holder's pid and name, which a test may lay there too. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, isThere, world } from './world.mjs';

/** Runs `work` under the lock, or ends with apt's words when it is still held after `seconds`. */
export async function withPackageLock(path, seconds, work) {
  const file = join(world.state, 'locks', path);
  mkdirSync(dirname(file), { recursive: true });
  const end = Date.now() + seconds * 1000;
  let said = false;
  while (!take(file)) {
    const holder = holderOf(file);
    const words = `Could not get lock ${path}. It is held by process ${holder.pid} (${holder.name})`;
    if (Date.now() >= end) {
      const closing = path.endsWith('lock-frontend')
        ? `E: Unable to acquire the dpkg frontend lock (${path}), is another process using it?`
        : `E: Unable to lock directory ${dirname(path)}/`;
      fail(`E: ${words}\n${closing}`, 100);
    }
    if (!said) process.stderr.write(`Waiting for cache lock: ${words}...\n`);
    said = true;
    await pause(200);
  }
  process.once('exit', () => rmSync(file, { force: true }));
  await work();
}

function take(file) {
  if (isThere(file) && alive(holderOf(file).pid)) return false;
  rmSync(file, { force: true });
  try {
    writeFileSync(file, `${process.pid} apt-get\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function holderOf(file) {
  const [pid = '', name = 'unknown'] = isThere(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
  return { pid: Number(pid), name };
}

function alive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
