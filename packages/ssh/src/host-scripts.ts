import { readFileSync } from 'node:fs';

/** What can be asked of a host; each is one program of POSIX sh, sent over the channel's standard input. */
export type HostVerb = 'enrol' | 'run' | 'read-log' | 'probe' | 'cancel' | 'collect' | 'check' | 'forget';

/** The program of a verb. */
export function hostProgram(verb: HostVerb): Buffer {
  const asker = verb === 'check' ? [Buffer.from(`asker='${part('ask', 'pl')}'\n`)] : [];
  return Buffer.concat([...asker, composed(['speak', 'header', ...PARTS[verb], verb])]);
}

/** The first lines that run on a host; three variables are put before them. */
export function doorScript(): string {
  return part('door');
}

/** The supervisor of an attempt, which is sent with the attempt's files. */
export function supervisorScript(): Buffer {
  return composed(['processes', 'launch', 'supervise']);
}

const PARTS: Readonly<Record<HostVerb, readonly string[]>> = {
  enrol: ['processes'],
  run: ['processes', 'attempt', 'users', 'stage', 'follow'],
  'read-log': ['processes', 'attempt', 'follow'],
  probe: ['processes', 'attempt'],
  cancel: ['processes', 'attempt'],
  collect: ['processes', 'attempt', 'users'],
  check: ['users', 'stage', 'launch'],
  forget: ['processes', 'attempt'],
};

const parts = new Map<string, string>();

function composed(names: readonly string[]): Buffer {
  return Buffer.from(names.map((name) => part(name)).join(''));
}

/** Comments stay at home. From `src` as from `dist`, this leads to the scripts beside the sources. */
function part(name: string, language: 'sh' | 'pl' = 'sh'): string {
  let text = parts.get(name);
  if (text === undefined) {
    text = readFileSync(new URL(`../src/host/${name}.${language}`, import.meta.url), 'utf8')
      .replaceAll('\r', '')
      .replace(/^[ \t]*#.*\n/gm, '');
    parts.set(name, text);
  }
  return text;
}
