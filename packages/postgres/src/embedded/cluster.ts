import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CapstanError } from '@capstan/model';
import type { ServerIdentity } from './server-identity.js';
import { CHILD_ENV, commandOf } from './server-identity.js';

/** Superuser of the embedded server. */
export const SERVER_USER = 'capstan';

const DRAFT = 'postgres.draft-';

/** The folder of the cluster: made when absent, refused when it is not of the major version that this build brings. */
export async function ensureCluster(
  identity: ServerIdentity,
  password: string,
  fsync: boolean,
  brings: string,
): Promise<string> {
  await removeDrafts(identity.home);
  const data = join(identity.home, 'postgres');
  if (!existsSync(data)) await initialise(identity, data, password, fsync);
  const version = join(data, 'PG_VERSION');
  if (!existsSync(version))
    throw new CapstanError('no_cluster', `${data} exists and is not a PostgreSQL data folder: move it away.`);
  const major = readFileSync(version, 'utf8').trim();
  if (major !== brings)
    throw new CapstanError(
      'wrong_major',
      `${data} was made by PostgreSQL ${major}, this build brings ${brings}.`,
    );
  if (identity.owner !== null && lstatSync(data).uid !== identity.owner) giveTo(data, identity.owner);
  return data;
}

/** An interrupted first start must leave nothing that breaks the second: all is made beside, then renamed. */
async function initialise(
  identity: ServerIdentity,
  data: string,
  password: string,
  fsync: boolean,
): Promise<void> {
  const draft = join(identity.home, `${DRAFT}${randomBytes(6).toString('hex')}`);
  const passwordFile = `${draft}.password`;
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
  if (identity.owner !== null)
    for (const path of [draft, passwordFile]) chownSync(path, identity.owner, identity.owner);
  const args = [
    '-D',
    draft,
    '-U',
    SERVER_USER,
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--no-locale',
  ];
  const { ok, output } = await runProgram(identity, 'initdb', fsync ? args : [...args, '--no-sync']);
  await rm(passwordFile, { force: true });
  if (!ok)
    throw new CapstanError(
      'initdb_failed',
      `PostgreSQL could not make its data folder in ${identity.home}: ${reasonIn(output)}`,
    );
  renameSync(draft, data);
}

/** What a first start left that died in the middle. Its initdb may still be writing there for a moment. */
async function removeDrafts(home: string): Promise<void> {
  for (const name of readdirSync(home).filter((entry) => entry.startsWith(DRAFT))) {
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function giveTo(path: string, uid: number): void {
  lchownSync(path, uid, uid);
  if (!lstatSync(path).isDirectory()) return;
  for (const entry of readdirSync(path)) giveTo(join(path, entry), uid);
}

function runProgram(
  identity: ServerIdentity,
  program: string,
  args: readonly string[],
): Promise<{ ok: boolean; output: string }> {
  const [file, rest] = commandOf(identity, program, args);
  return new Promise((resolve) => {
    const child = spawn(file, rest, {
      ...identity.user,
      env: CHILD_ENV,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (error) => resolve({ ok: false, output: String(error) }));
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }));
  });
}

/** After its reason initdb goes on to tell what it removes. */
function reasonIn(output: string): string {
  return /\b(?:FATAL|PANIC|error): .*/.exec(output)?.[0] ?? lastLines(output);
}

/** The end of what a program printed, on one line. */
export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-4).join(' | ') || 'it printed nothing';
}
