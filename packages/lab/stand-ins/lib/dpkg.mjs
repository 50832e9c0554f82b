/** `dpkg`, as far as scripts ask it something: nothing is ever half-configured in a sandbox host. */
import { spawnSync } from 'node:child_process';
import { architecture } from './package-archive.mjs';
import { fail, failOnDemand } from './world.mjs';

const argv = process.argv.slice(2);
const action = argv[0] ?? '';
failOnDemand('dpkg');

if (action === '--print-architecture') process.stdout.write(`${architecture}\n`);
else if (action === '--version')
  process.stdout.write(`Debian 'dpkg' package management program version 1.21.22 (${architecture}).\n`);
else if (action === '--configure' || action === '--audit' || action === '-C') process.exitCode = 0;
else if (['-s', '--status', '-l', '--list', '-W', '--show'].includes(action)) {
  const query = new URL('./dpkg-query.mjs', import.meta.url).pathname;
  process.exitCode = spawnSync(process.execPath, [query, ...argv], { stdio: 'inherit' }).status ?? 1;
} else {
  fail(
    `dpkg: error: unknown option ${action}\n\nType dpkg --help for help about installing and deinstalling packages [*];`,
    2,
  );
}
