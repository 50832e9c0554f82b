import { run } from './machine-command.js';

/** A part of Debian that this machine installs from. */
export interface Mirror {
  readonly uri: string;
  readonly suite: string;
}

/** The machine's own mirrors of Debian itself: the release first, then updates and security. */
export async function ownMirrors(): Promise<readonly Mirror[]> {
  const known = await listedMirrors();
  if (known.length > 0) return known;
  // What a mirror holds is known only once its lists have been fetched.
  await run('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=400', 'update']);
  const fetched = await listedMirrors();
  if (fetched.length > 0) return fetched;
  throw new Error('apt-get knows no mirror of Debian over http or https');
}

async function listedMirrors(): Promise<readonly Mirror[]> {
  const format = '$(CREATED_BY)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)';
  const lines = (await run('apt-get', ['indextargets', '--format', format])).split('\n');
  const found = new Map<string, Mirror>();
  for (const line of lines) {
    const [kind, uri, suite, component, origin] = line.split('|');
    if (kind !== 'Packages' || component !== 'main' || origin !== 'Debian' || !uri || !suite) continue;
    if (/^https?:/.test(uri)) found.set(`${uri} ${suite}`, { uri: uri.replace(/\/$/, ''), suite });
  }
  return [...found.values()].sort((a, b) => a.suite.length - b.suite.length);
}

/** What the hosts are told: always http, because what lies behind the lab's proxy need not speak TLS to them. */
export function sourcesList(mirrors: readonly Mirror[]): string {
  return mirrors.map(({ uri, suite }) => `deb ${uri.replace(/^https:/, 'http:')} ${suite} main\n`).join('');
}
