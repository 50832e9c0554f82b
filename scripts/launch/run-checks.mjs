import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.mjs';

const folder = join(repositoryRoot, 'scripts/checks');

/** The static checks, by name: each file `scripts/checks/<name>.mjs` exports `run(root)`, which returns problems. */
export function checkNames() {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.mjs') && !file.endsWith('.test.mjs'))
    .map((file) => file.replace(/\.mjs$/, ''))
    .sort();
}

/** `run` of the named check. */
export async function loadCheck(name) {
  const { run } = await import(`../checks/${name}.mjs`);
  return run;
}

/** Runs the named checks (all without names) and prints each problem as `path:line text`. */
export async function runChecks(names) {
  const known = checkNames();
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) return refuse(`No check is named "${unknown}": ${known.join(', ')}`);
  if (!existsSync(join(repositoryRoot, 'node_modules/.bin'))) {
    return refuse('The checks need the installed packages: run npm start or npm test once.');
  }
  let failed = 0;
  for (const name of names.length > 0 ? names : known) {
    const began = Date.now();
    const problems = await (await loadCheck(name))(repositoryRoot);
    const errors = problems.filter((problem) => !problem.warning);
    failed += errors.length;
    for (const problem of problems) console.log(line(name, problem));
    const verdict = errors.length === 0 ? 'ok' : `${errors.length} problem(s)`;
    console.log(`check ${name}: ${verdict} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
  if (failed > 0) process.exitCode = 1;
}

function refuse(text) {
  console.error(text);
  process.exitCode = 1;
}

function line(name, { path, line, text, warning }) {
  return `${path}:${line || 1} ${warning ? 'warning: ' : ''}${text} [${name}]`;
}
