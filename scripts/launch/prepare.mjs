import { existsSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { canCreate, childEnvironment, dataFolder } from './environment.mjs';
import { withPrepareLock } from './lock.mjs';
import { listFiles, workspaceFolders } from './repository.mjs';
import { runStep } from './run-step.mjs';
import { hashInputs, readStamp, writeStamp } from './stamp.mjs';
import { webInputs } from './web-inputs.mjs';

const pnpm = 'pnpm@10.34.9';

/**
 * Installs and builds this checkout where its inputs changed since the last time. Returns
 * `{ok: true}` or `{ok: false, lines}` with the lines to show.
 */
export async function prepare(root, say) {
  const data = dataFolder(root);
  if (!canCreate(data)) return notWritable(data);
  mkdirSync(data, { recursive: true });
  const steps = [installStep(root), buildStep(root), webStep(root)];
  if (steps.every((step) => step.isDone())) return { ok: true };
  for (const folder of [root, join(root, 'node_modules')]) if (!canCreate(folder)) return notWritable(folder);
  return withPrepareLock(root, say, () => runSteps(root, steps, say));
}

async function runSteps(root, steps, say) {
  for (const step of steps) {
    if (step.isDone()) continue;
    const before = step.inputs();
    say(`${step.title} (${step.expectation})`);
    const env = { ...childEnvironment(root), ...step.env };
    const result = await runStep({ ...step, cwd: root, env, say });
    if (!result.ok) return failed(step, result);
    writeStamp(root, step.name, before);
    say(`${step.title}: done in ${result.seconds} s`);
  }
  return { ok: true };
}

function installStep(root) {
  const { command, args } = npx();
  const manifests = ['package.json', ...workspaceFolders(root).map((folder) => `${folder}/package.json`)];
  const inputs = () =>
    hashInputs(
      root,
      [...manifests, 'pnpm-lock.yaml', 'pnpm-workspace.yaml'],
      process.versions.node.split('.')[0],
      process.platform,
      process.arch,
    );
  return {
    name: 'install',
    title: 'Installing packages',
    expectation: 'the first time up to two minutes',
    command,
    // --prod=false: the compiler is a development dependency, and NODE_ENV=production would leave it out.
    args: [...args, '--yes', pnpm, 'install', '--frozen-lockfile', '--prod=false'],
    env: { CI: 'true' },
    inputs,
    isDone: () => readStamp(root, 'install') === inputs(),
  };
}

function buildStep(root) {
  // The pages have a compiler of their own: webStep.
  const folders = workspaceFolders(root).filter((folder) => folder !== 'apps/web');
  const inputs = () =>
    hashInputs(root, [
      'tsconfig.build.json',
      'tsconfig.base.json',
      'pnpm-lock.yaml',
      ...folders.flatMap((folder) => [
        `${folder}/package.json`,
        `${folder}/tsconfig.json`,
        ...listFiles(root, `${folder}/src`).filter((file) => /\.(ts|json)$/.test(file)),
      ]),
    ]);
  const built = () => folders.every((folder) => existsSync(join(root, folder, 'dist/.tsbuildinfo')));
  return {
    name: 'build',
    title: 'Building',
    expectation: 'a few seconds',
    command: process.execPath,
    args: [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'tsconfig.build.json'],
    env: {},
    inputs,
    isDone: () => built() && readStamp(root, 'build') === inputs(),
  };
}

/** The pages take the compiled model, so this step comes after buildStep. */
function webStep(root) {
  const inputs = () => webInputs(root);
  return {
    name: 'web',
    title: 'Building the pages',
    expectation: 'up to a minute and a half on a slow machine',
    command: process.execPath,
    args: [join(root, 'apps/web/node_modules/next/dist/bin/next'), 'build', 'apps/web'],
    env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    inputs,
    isDone: () => existsSync(join(root, 'apps/web/.next/BUILD_ID')) && readStamp(root, 'web') === inputs(),
  };
}

/** npm tells scripts where it lies; its npx is the one that surely fits, PATH may hold none. */
function npx() {
  const beside = join(dirname(process.env.npm_execpath || ''), 'npx-cli.js');
  return process.env.npm_execpath?.endsWith('npm-cli.js') && existsSync(beside)
    ? { command: process.execPath, args: [beside] }
    : { command: 'npx', args: [] };
}

function notWritable(folder) {
  return {
    ok: false,
    lines: [`${folder} is not writable by ${userName()}: chown it to that user, or clone elsewhere.`],
  };
}

/** In a container the user id may have no name. */
function userName() {
  try {
    return userInfo().username;
  } catch (error) {
    if (error.code !== 'ERR_SYSTEM_ERROR') throw error;
    return `user ${process.getuid()}`;
  }
}

const causes = [
  [/EACCES|EPERM/, 'A file here belongs to another user: chown the folder to yours, or clone elsewhere.'],
  [/ENOSPC/, 'The disk is full: an installation needs about 1 GB.'],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET/,
    'The package registry did not answer: see `npm ping` and your proxy settings.',
  ],
  [/ERR_PNPM_OUTDATED_LOCKFILE/, 'A package.json and pnpm-lock.yaml disagree: restore both from git.'],
  [/npx: spawn npx ENOENT|npx: .*ENOENT/, 'npm is not on PATH; Capstan needs Node with its npm.'],
];

function failed(step, result) {
  const cause = causes.find(([pattern]) => pattern.test(result.output));
  const tail = result.output.trimEnd().split('\n').slice(-30);
  return { ok: false, lines: [...tail, `${step.title} failed.${cause ? ` ${cause[1]}` : ''}`] };
}
