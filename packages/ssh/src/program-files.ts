import { createHash } from 'node:crypto';
import type { AttemptRef, HostFile, HostProgram } from '@capstan/engine';
import { CapstanError } from '@capstan/model';
import { type ArchiveEntry, archive } from './archive.js';

/** The archives of an attempt: its folder, and the folder of its secrets where it has any. */
export function attemptArchives(
  program: HostProgram,
  supervisor: Uint8Array,
  vault: string,
): { readonly folder: Buffer[]; readonly vault: Buffer[] | null } {
  const secret = hasSecrets(program);
  return {
    folder: archive([
      file('supervise', supervisor),
      ...['lock', 'gate', 'output', '.cancelled'].map((path) => file(path, '')),
      // Room that a full disk cannot take away: these are overwritten in place later.
      file('.started', blank(256)),
      file('.rc', blank(64)),
      file('fence', blank(64)),
      { kind: 'pipe', path: 'output.pipe' },
      ...(secret ? [{ kind: 'link', path: 'secrets', to: vault } as const] : []),
      ...programEntries(program, '', secret),
    ]),
    vault: secret
      ? archive([
          ...['secrets', 'inputs'].map((path) => ({ kind: 'folder', path }) as const),
          ...fileEntries(program.secrets, 'secrets'),
          ...fileEntries(
            program.inputs.filter((input) => input.sensitive),
            'inputs',
          ),
        ])
      : null,
  };
}

/** The archive of several checks, each in a folder named by its number from 1. Its folder lies in memory where there is room for it. */
export function checkArchive(programs: readonly HostProgram[]): Buffer[] {
  return archive([
    { kind: 'pipe', path: 'finished.pipe' },
    ...programs.flatMap((program, n) => [
      { kind: 'folder', path: `${n + 1}`, mode: 0o711 } as const,
      { kind: 'pipe', path: `${n + 1}/out.pipe` } as const,
      { kind: 'pipe', path: `${n + 1}/err.pipe` } as const,
      ...programEntries(program, `${n + 1}/`, false),
    ]),
  ]);
}

/** Whether a program has files that must only lie in the secret folder. */
export function hasSecrets(program: HostProgram): boolean {
  return program.secrets.length > 0 || program.inputs.some((input) => input.sensitive);
}

/** The user of a program as the host reads it. Throws `invalid_user` for a name that no system has. */
export function checkedUser(as: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(as))
    throw new CapstanError('invalid_user', `not a user name: ${JSON.stringify(as)}`);
  return as;
}

/** The fields of an attempt that its host is told, each in a form that cannot be anything but itself. */
export function attemptHeader(ref: AttemptRef): Record<string, string | number> {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(ref.attemptId))
    throw new CapstanError('invalid_attempt', `not an attempt id: ${JSON.stringify(ref.attemptId)}`);
  if (!/^[A-Za-z0-9_-]+\.\d{1,18}\.\d{1,18}$/.test(ref.fence))
    throw new CapstanError('invalid_attempt', `not a fence: ${JSON.stringify(ref.fence)}`);
  return {
    root: checkedPath(ref.runRoot),
    vaults: checkedPath(ref.secretRoot),
    attempt: ref.attemptId,
    node: createHash('sha256').update(`${ref.operationId}\0${ref.nodeKey}`).digest('hex').slice(0, 40),
    number: ref.number,
    fence: ref.fence,
  };
}

export function checkedPath(path: string): string {
  if (!/^\/[^\p{Cc}]*$/u.test(path))
    throw new CapstanError('invalid_path', `not a folder of a host: ${JSON.stringify(path)}`);
  return path;
}

/** One environment string over 128 KiB makes exec fail; the file has them all. */
const LONGEST_VARIABLE = 65_536;

/**
 * What the job's user runs: it exports the parameters and becomes the program. Values stand in single quotes in a file, so
 * no shell ever reads them as anything but themselves (C23).
 */
function jobScript(program: HostProgram): string {
  const variables = { ...parameterVariables(program.params), ...program.env };
  const exports = Object.entries(variables).map(
    ([name, value]) => `export ${checkedVariable(name)}=${quoted(value)}\n`,
  );
  return `umask 022\ncd "$HOME" 2>/dev/null || cd /\n${exports.join('')}exec ${programWords(program)}\n`;
}

function programWords(program: HostProgram): string {
  if (program.script !== null) return [...interpreter(program.script).map(quoted), '"$1/script"'].join(' ');
  if (program.command === null || program.command.length === 0)
    throw new CapstanError('no_program', 'neither a script nor a command');
  return program.command.map(quoted).join(' ');
}

/**
 * The interpreter is called by name: the folder may be mounted noexec. As the kernel reads it: one optional argument, and a
 * file without `#!` is for the shell.
 */
function interpreter(script: Uint8Array): string[] {
  const start = Buffer.from(script.subarray(0, 256));
  if (start.length >= 4 && start.readUInt32BE(0) === 0x7f454c46) return [];
  const line = /^#![ \t]*([^ \t\n]+)[ \t]*([^\n]*)/.exec(start.toString('latin1'));
  if (line === null) return ['/bin/sh'];
  const argument = (line[2] ?? '').trim();
  return argument === '' ? [line[1] as string] : [line[1] as string, argument];
}

/** Scalars as CAPSTAN_PARAM_<NAME>. Two names that become one variable are left to the file, where they differ. */
function parameterVariables(params: Uint8Array): Record<string, string> {
  const parsed: unknown = params.length === 0 ? {} : JSON.parse(Buffer.from(params).toString('utf8'));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return {};
  const variables: Record<string, string> = {};
  const twice = new Set<string>();
  for (const [name, value] of Object.entries(parsed)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const variable = `CAPSTAN_PARAM_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
    const text = String(value);
    if (variable in variables) twice.add(variable);
    if (Buffer.byteLength(text) <= LONGEST_VARIABLE && !text.includes('\0')) variables[variable] = text;
  }
  for (const variable of twice) delete variables[variable];
  return variables;
}

/** `in/` and `out/`. Where secrets have a folder of their own, inputs are linked into it; else they lie here like the rest. */
function programEntries(program: HostProgram, under: string, secretsElsewhere: boolean): ArchiveEntry[] {
  const sensitive = program.inputs.filter((input) => input.sensitive);
  const here = secretsElsewhere ? program.inputs.filter((input) => !input.sensitive) : program.inputs;
  return [
    ...['in', 'in/inputs', 'out', ...(secretsElsewhere ? [] : ['in/secrets'])].map(
      (path) => ({ kind: 'folder', path: under + path }) as const,
    ),
    file(`${under}in/params.json`, program.params),
    file(`${under}in/job`, jobScript(program)),
    ...(program.script === null
      ? []
      : [{ kind: 'file', path: `${under}in/script`, bytes: program.script, mode: 0o700 } as const]),
    ...fileEntries(here, `${under}in/inputs`),
    ...(secretsElsewhere ? linkEntries(sensitive) : fileEntries(program.secrets, `${under}in/secrets`)),
  ];
}

function fileEntries(files: readonly HostFile[], under: string): ArchiveEntry[] {
  return [...foldersOf(files, under), ...files.map((one) => file(`${under}/${checkedName(one)}`, one.bytes))];
}

function linkEntries(files: readonly HostFile[]): ArchiveEntry[] {
  const links = files.map((one) => {
    const up = one.name.includes('/') ? '../../../' : '../../';
    return {
      kind: 'link',
      path: `in/inputs/${checkedName(one)}`,
      to: `${up}secrets/inputs/${one.name}`,
    } as const;
  });
  return [...foldersOf(files, 'in/inputs'), ...links];
}

function foldersOf(files: readonly HostFile[], under: string): ArchiveEntry[] {
  const names = new Set(
    files.filter((one) => one.name.includes('/')).map((one) => one.name.slice(0, one.name.indexOf('/'))),
  );
  return [...names].map((name) => ({ kind: 'folder', path: `${under}/${name}` }));
}

function file(path: string, content: string | Uint8Array): ArchiveEntry {
  return { kind: 'file', path, bytes: typeof content === 'string' ? Buffer.from(content) : content };
}

function blank(size: number): string {
  return `${' '.repeat(size - 1)}\n`;
}

function checkedName(file: HostFile): string {
  const part = '[A-Za-z0-9_][A-Za-z0-9._@:+=-]{0,127}';
  if (!new RegExp(`^${part}(/${part})?$`).test(file.name)) {
    throw new CapstanError(
      'invalid_file_name',
      `not a name for a file of a job: ${JSON.stringify(file.name)}`,
    );
  }
  return file.name;
}

function checkedVariable(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new CapstanError('invalid_variable', `not an environment variable: ${JSON.stringify(name)}`);
  return name;
}

/** One word of a POSIX shell, whatever it holds. */
function quoted(text: string): string {
  if (text.includes('\0')) throw new CapstanError('nul_in_value', 'a NUL cannot be handed to a program');
  return `'${text.replaceAll("'", "'\\''")}'`;
}
