import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, run } from './machine-command.js';

/** Mount points in a folder, the deepest first. */
export function mountsBelow(folder: string): readonly string[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) =>
      (line.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, octal) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
    )
    .filter((path) => path.startsWith(`${folder}/`))
    .reverse();
}

/** Unmounts everything in a folder; a dying process may hold a mount for a moment. */
export async function unmountBelow(folder: string): Promise<void> {
  for (let tries = 40; ; tries -= 1) {
    for (const path of mountsBelow(folder)) await ask('umount', [path]);
    const [left] = mountsBelow(folder);
    if (left === undefined) return;
    if (tries === 0) await run('umount', [left]);
    await sleep(100);
  }
}
