import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { round } from './measure.js';

/**
 * From `npm start` to its ready line, in seconds: warm (installed, built, state exists) and, with `--cold`, in a
 * fresh clone of the last commit with an empty npm cache and no node_modules. One run each: the network is not ours.
 */
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const WARM_GOAL_S = 20;
const COLD_GOAL_S = 300;

interface Phases {
  /** All in seconds; a phase that did not happen is 0. */
  readonly install: number;
  readonly build: number;
  readonly database: number;
  readonly ready: number;
  readonly total: number;
}

const MARKS: readonly (readonly [string, RegExp])[] = [
  ['installing', /^Installing packages \(/],
  ['installed', /^Installing packages: done/],
  ['building', /^Building \(/],
  ['built', /^Building: done/],
  ['database', /^Starting the database$/],
  ['hosts', /^Starting three sandbox hosts$/],
  ['ready', /^Capstan is ready: /],
];

const place = mkdtempSync(join(tmpdir(), 'capstan-cold-'));
try {
  const data = join(place, 'data');
  const before = loadavg().map(round);
  await start(ROOT, { ...environment(), CAPSTAN_DATA: data });
  const warm = await start(ROOT, { ...environment(), CAPSTAN_DATA: data });
  const cold = process.argv.includes('--cold') ? await start(clone(), emptyCaches()) : null;
  const result = {
    name: 'cold-start',
    ours: warm.total,
    floor: null,
    ratio: null,
    unit: 's',
    runs: 1,
    warm,
    warmGoal: WARM_GOAL_S,
    cold,
    coldGoal: COLD_GOAL_S,
    loadBefore: before,
    load: loadavg().map(round),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else {
    console.log(`warm: ${told(warm)}, goal ${WARM_GOAL_S} s (load ${result.load[0]})`);
    console.log(cold ? `cold: ${told(cold)}, goal ${COLD_GOAL_S} s` : 'cold: not measured, see --cold');
  }
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 3 });
}

function told({ install, build, database, ready, total }: Phases): string {
  return `${total} s (install ${install}, build ${build}, database ${database}, ready ${ready})`;
}

/** Without what npm tells its scripts: that would lead the inner npm to the caches of the outer one. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|CAPSTAN_|DATABASE_URL$)/.test(name));
  return { ...Object.fromEntries(kept), CAPSTAN_PORT: '0' };
}

function emptyCaches(): NodeJS.ProcessEnv {
  const home = join(place, 'home');
  mkdirSync(home);
  return { ...environment(), HOME: home, npm_config_cache: join(home, 'npm') };
}

function clone(): string {
  const to = join(place, 'clone');
  const { status, stderr } = spawnSync('git', ['clone', '--quiet', ROOT, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git clone: ${stderr}`);
  return to;
}

/** Starts, reads the lines that tell the phases, and stops. */
async function start(root: string, env: NodeJS.ProcessEnv): Promise<Phases> {
  const began = performance.now();
  const at = new Map<string, number>();
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    const name = MARKS.find(([, pattern]) => pattern.test(line))?.[0];
    if (name !== undefined) at.set(name, performance.now() - began);
    if (name === 'ready') break;
  }
  await stop(child, ended);
  const ready = at.get('ready');
  if (ready === undefined) throw new Error('the start ended without its ready line');
  const between = (from: string, to: string): number =>
    round(((at.get(to) ?? 0) - (at.get(from) ?? at.get(to) ?? 0)) / 1000);
  return {
    install: between('installing', 'installed'),
    build: between('building', 'built'),
    database: between('database', 'hosts'),
    ready: between('hosts', 'ready'),
    total: round(ready / 1000),
  };
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}
