import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { childEnvironment } from './environment.mjs';
import { prepare } from './prepare.mjs';
import { prepareBrowser } from './prepare-browser.mjs';
import { prepareDebian } from './prepare-debian.mjs';
import { listFiles, repositoryRoot } from './repository.mjs';
import { runChecks } from './run-checks.mjs';

const places = [
  /^(packages|apps)\/[^/]+\/(src|test)\/.*\.test\.ts$/,
  /^schema\/(src|test)\/.*\.test\.ts$/,
  /^e2e\/.*\.test\.ts$/,
  /^scripts\/.*\.test\.mjs$/,
];

/** `npm test [-- PART…]`: install, build, static checks, then every test file (whose path contains a PART). */
export async function runTests(parts) {
  const prepared = await prepare(repositoryRoot, console.log);
  if (!prepared.ok) {
    for (const line of prepared.lines) console.error(line);
    process.exitCode = 1;
    return;
  }
  const files = testFiles(repositoryRoot, parts);
  if (files.length === 0) {
    console.error(`No test file has ${parts.map((part) => `"${part}"`).join(' or ')} in its path.`);
    process.exitCode = 1;
    return;
  }
  if (parts.length > 0) console.log('Static checks left out, because test files were chosen: npm run check');
  else await runChecks([]);
  const checksFailed = Boolean(process.exitCode);
  if (files.some((file) => file.startsWith('e2e/browser/'))) await prepareBrowser(console.log);
  if (files.some((file) => file.includes('debian'))) await prepareDebian(console.log);
  const { code, notRun } = await runNodeTests(files);
  for (const line of notRun) console.log(line);
  console.log(`suites not run: ${notRun.length}`);
  if (checksFailed) console.error('Static checks failed, see above.');
  process.exitCode = code || (checksFailed ? 1 : 0);
}

/** The test files of the repository, those whose path contains one of `parts` when any is given. */
export function testFiles(root, parts) {
  const files = listFiles(root).filter((file) => places.some((place) => place.test(file)));
  return parts.length === 0 ? files : files.filter((file) => parts.some((part) => file.includes(part)));
}

// One file a core: with one more, the tests in a browser took four times as long and met their own timeouts.
const concurrency = Math.min(4, availableParallelism());

/** Absence lines are held back and shown once, under node's own summary. */
async function runNodeTests(files) {
  const child = spawn(
    process.execPath,
    [
      '--conditions=capstan-source',
      '--import',
      './scripts/swc-hook.mjs',
      '--test',
      `--test-concurrency=${concurrency}`,
      '--test-timeout=900000',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      ...files,
    ],
    {
      cwd: repositoryRoot,
      env: { ...childEnvironment(repositoryRoot), ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const notRun = new Set();
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('NOT RUN ')) notRun.add(line);
    else console.log(line);
  }
  return { code: await ended, notRun: [...notRun].sort() };
}
