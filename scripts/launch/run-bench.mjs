import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from './environment.mjs';
import { prepare } from './prepare.mjs';
import { repositoryRoot } from './repository.mjs';

/** `npm run bench -- NAME [--json]`: runs `bench/NAME.ts` or `.mjs` on the sources; words go to stderr. */
export async function runBench([name, ...args]) {
  const file = ['ts', 'mjs']
    .map((ext) => join('bench', `${name}.${ext}`))
    .find((path) => existsSync(join(repositoryRoot, path)));
  if (!file) {
    console.error(`Usage: npm run bench -- NAME [--json]. Names: ${benchNames().join(', ') || 'none yet'}`);
    process.exitCode = 2;
    return;
  }
  const prepared = await prepare(repositoryRoot, console.error);
  if (!prepared.ok) {
    for (const line of prepared.lines) console.error(line);
    process.exitCode = 1;
    return;
  }
  const child = spawn(
    process.execPath,
    ['--conditions=capstan-source', '--import', './scripts/swc-hook.mjs', file, ...args],
    { cwd: repositoryRoot, env: childEnvironment(repositoryRoot), stdio: 'inherit' },
  );
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}

function benchNames() {
  const folder = join(repositoryRoot, 'bench');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => /\.(ts|mjs)$/.test(file) && !/\.(test|d)\.ts$/.test(file))
    .map((file) => file.replace(/\.(ts|mjs)$/, ''))
    .sort();
}
