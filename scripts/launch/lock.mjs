import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other start or test of this checkout installs or builds: two package managers in one
 * node_modules corrupt it. A lock whose process is gone is taken over.
 */
export async function withPrepareLock(root, say, work) {
  const file = join(root, '.capstan', 'prepare.lock');
  mkdirSync(join(root, '.capstan'), { recursive: true });
  let told = 0;
  for (;;) {
    const holder = take(file);
    if (holder === 0) break;
    if (holder !== told) say(`  waiting for process ${holder}, which is installing or building here`);
    told = holder;
    await sleep(500);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** 0 when the lock is now ours, else the id of the living process that has it. */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    process.once('exit', () => release(file));
    return 0;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = readHolder(file);
  if (holder > 0 && isAlive(holder)) return holder;
  rmSync(file, { force: true });
  return take(file);
}

function release(file) {
  if (readHolder(file) === process.pid) rmSync(file, { force: true });
}

function readHolder(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch (error) {
    if (error.code === 'ENOENT') return 0;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
