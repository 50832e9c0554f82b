/** `apt-get`: update, install and what a script says around them; the messages and exit codes are apt's. */
import { readOptions } from './options.mjs';
import { architecture, closure, installed, markInstalled, offered, serverMajor } from './package-archive.mjs';
import { withPackageLock } from './package-lock.mjs';
import { reachable, readSources } from './package-sources.mjs';
import { configurePostgres, prepareAccount } from './postgres-postinst.mjs';
import { fail, failOnDemand } from './world.mjs';

const spec = {
  q: 'flag',
  quiet: 'flag',
  y: 'flag',
  yes: 'flag',
  'assume-yes': 'flag',
  o: 'value',
  option: 'value',
  s: 'flag',
  v: 'flag',
  version: 'flag',
  'no-install-recommends': 'flag',
  'allow-releaseinfo-change': 'flag',
};
const { options, rest } = readOptions(process.argv.slice(2), spec, (word) =>
  fail(
    `E: Command line option ${word.startsWith('--') ? word : `'${word.slice(1)}' [from ${word}]`} is not understood in combination with the other options`,
    100,
  ),
);
const has = (...names) => options.some(([name]) => names.includes(name));
const quiet = options.filter(([name]) => name === 'q' || name === 'quiet').length;
const settings = new Map(
  options
    .filter(([name]) => name === 'o' || name === 'option')
    .map(([, text]) => [text.split('=')[0].toLowerCase(), text.split('=').slice(1).join('=')]),
);
const [verb, ...names] = rest;
const say = (text) => quiet < 2 && process.stdout.write(`${text}\n`);

if (has('v', 'version')) {
  process.stdout.write(`apt 2.6.1 (${architecture})\n`);
} else if (verb === 'update') {
  failOnDemand('apt-get');
  await withPackageLock('/var/lib/apt/lists/lock', 0, update);
} else if (verb === 'install') {
  failOnDemand('apt-get');
  await withPackageLock(
    '/var/lib/dpkg/lock-frontend',
    Number(settings.get('dpkg::lock::timeout') ?? 0),
    install,
  );
} else if (verb === 'clean' || verb === 'autoclean') {
  process.exitCode = 0;
} else if (verb === undefined) {
  process.stdout.write(`apt 2.6.1 (${architecture})\nUsage: apt-get [options] command\n`);
} else {
  fail(`E: Invalid operation ${verb}`, 100);
}

async function update() {
  const broken = [];
  let number = 0;
  for (const source of readSources()) {
    number += 1;
    const trouble = await reachable(source.url);
    say(`${trouble === undefined ? 'Hit' : 'Err'}:${number} ${source.url} ${source.suite} InRelease`);
    if (trouble === undefined) continue;
    say(`  ${trouble}`);
    broken.push(`Failed to fetch ${source.url}/dists/${source.suite}/InRelease  ${trouble}`);
  }
  say('Reading package lists...');
  const strict = settings.get('apt::update::error-mode') === 'any';
  if (broken.length === 0) return;
  for (const line of broken) process.stderr.write(`${strict ? 'E' : 'W'}: ${line}\n`);
  process.stderr.write(
    `${strict ? 'E' : 'W'}: Some index files failed to download. They have been ignored, or old ones used instead.\n`,
  );
  if (strict) process.exitCode = 100;
}

async function install() {
  say('Reading package lists...');
  say('Building dependency tree...');
  say('Reading state information...');
  const offer = offered();
  const have = installed();
  const wanted = names.map((name) => name.split('=')[0]);
  for (const name of wanted) {
    if (offer[name] === undefined && have[name] === undefined)
      fail(`E: Unable to locate package ${name}`, 100);
  }
  for (const name of wanted.filter((one) => have[one] !== undefined)) {
    say(`${name} is already the newest version (${have[name].version}).`);
  }
  const fresh = closure(wanted);
  const extra = fresh.filter((name) => !wanted.includes(name)).toSorted();
  if (extra.length > 0) say(`The following additional packages will be installed:\n  ${extra.join(' ')}`);
  if (fresh.length > 0) say(`The following NEW packages will be installed:\n  ${fresh.toSorted().join(' ')}`);
  say(`0 upgraded, ${fresh.length} newly installed, 0 to remove and 0 not upgraded.`);
  if (fresh.length === 0 || has('s')) return;
  if (extra.length > 0 && !has('y', 'yes', 'assume-yes')) {
    process.stdout.write('Do you want to continue? [Y/n] Abort.\n');
    process.exit(1);
  }
  for (const name of fresh) {
    say(`Selecting previously unselected package ${name}.`);
    say(`Unpacking ${name} (${offer[name].version}) ...`);
  }
  const server = `postgresql-${serverMajor()}`;
  for (const name of fresh) {
    say(`Setting up ${name} (${offer[name].version}) ...`);
    if (name === 'postgresql-common') prepareAccount();
    // As with dpkg, the package counts as installed when its own script has run.
    if (name === server) await configurePostgres(serverMajor());
    markInstalled(offer[name]);
  }
}
