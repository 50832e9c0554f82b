/** `pg_createcluster [options] version name [-- initdb options]`, around the real initdb. */

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clusters, configurationFolder, describeCluster, writeSetting } from './cluster.mjs';
import { readOptions } from './options.mjs';
import { serverMajor } from './package-archive.mjs';
import { freePort, giveToServer, runNative, socketFolder, startServer } from './server-process.mjs';
import { account, fail, failOnDemand, hostPath, isThere, world } from './world.mjs';

const spec = {
  u: 'value',
  user: 'value',
  g: 'value',
  group: 'value',
  d: 'value',
  datadir: 'value',
  start: 'flag',
  e: 'value',
  encoding: 'value',
  locale: 'value',
  'lc-collate': 'value',
  'lc-ctype': 'value',
  'start-conf': 'value',
  p: 'value',
  port: 'value',
  q: 'flag',
  quiet: 'flag',
  'no-status': 'flag',
  o: 'value',
  pgoption: 'value',
};
const argv = process.argv.slice(2);
const { options, rest, afterDashes } = readOptions(argv, spec, (word) =>
  fail(`Unknown option: ${word.replace(/^-+/, '')}`),
);
const value = (...names) => options.findLast(([name]) => names.includes(name))?.[1];
const [version, name] = rest.slice(0, rest.length - afterDashes.length);
const quiet = value('q', 'quiet') === true;

failOnDemand('pg_createcluster');
if (version === undefined || name === undefined)
  fail('Usage: pg_createcluster [options] <version> <cluster name> [-- <initdb options>]');
if (!/^\d+(\.\d+)?$/.test(version)) fail(`Error: invalid version '${version}'`);
if (!/^[-.\w]+$/.test(name)) fail(`Error: invalid cluster name '${name}'`);
if (account('postgres') === undefined) fail('Error: User postgres does not exist');
if (version !== serverMajor()) fail(`Error: no initdb program for version ${version} found`);

const folder = configurationFolder(version, name);
const data = value('d', 'datadir') ?? hostPath(`/var/lib/postgresql/${version}/${name}`);
if (isThere(join(folder, 'postgresql.conf')) || isThere(join(folder, 'pg_hba.conf')))
  fail('Error: cluster configuration already exists');
const asked = value('p', 'port');
if (asked !== undefined && !(Number(asked) >= 1024 && Number(asked) <= 65535))
  fail('Error: port must be a positive integer between 1024 and 65535');
const port = asked ?? String(await freePort(clusters().map((cluster) => cluster.port)));

const made = [dirname(data), folder, data].filter((path) => !isThere(path));
makeFolder(dirname(data), 0o755);
makeFolder(folder, 0o755);
if (isThere(join(data, 'PG_VERSION'))) {
  process.stdout.write(
    `Configuring already existing cluster (configuration: ${folder}, data: ${data}, owner: ${account('postgres').uid}:${account('postgres').gid})\n`,
  );
  if (!isThere(join(data, 'postgresql.conf')))
    fail(`Error: move_conffile: required configuration file ${join(data, 'postgresql.conf')} does not exist`);
} else {
  process.stdout.write(`Creating new PostgreSQL cluster ${version}/${name} ...\n`);
  initialise();
}
configure();
if (value('start') === true) {
  const started = await startServer(describeCluster(version, name));
  if (started.code === 1) fail(`${started.text}Could not start cluster`);
}
if (!quiet && value('no-status') !== true) {
  const list = fileURLToPath(new URL('../pg_lsclusters', import.meta.url));
  spawnSync(list, [version, name], { stdio: 'inherit' });
}

function initialise() {
  makeFolder(data, 0o700);
  const passed = [
    ['encoding', value('e', 'encoding')],
    ...['locale', 'lc-collate', 'lc-ctype'].map((option) => [option, value(option)]),
  ].flatMap(([option, text]) => (text === undefined ? [] : [`--${option}`, text]));
  const words = [
    '-D',
    data,
    '--auth-local',
    'peer',
    '--auth-host',
    'scram-sha-256',
    '--no-instructions',
    ...passed,
    ...afterDashes,
  ];
  if (!quiet) process.stdout.write(`${join(world.native, 'bin', 'initdb')} ${words.join(' ')}\n`);
  const result = runNative('initdb', [...words, '--username', 'postgres', '--no-sync']);
  if (!quiet || result.status !== 0) process.stdout.write(result.output);
  if (result.status === 0) return;
  for (const path of made.toReversed()) rmSync(path, { recursive: true, force: true });
  fail('Error: initdb failed');
}

function configure() {
  const file = join(folder, 'postgresql.conf');
  for (const [one, mode] of [
    ['postgresql.conf', 0o644],
    ['pg_hba.conf', 0o640],
    ['pg_ident.conf', 0o640],
  ]) {
    // Copied, not renamed: /etc and /var may be different file systems.
    copyFileSync(join(data, one), join(folder, one));
    rmSync(join(data, one));
    chmodSync(join(folder, one), mode);
    giveToServer(join(folder, one));
  }
  const log = hostPath(`/var/log/postgresql/postgresql-${version}-${name}.log`);
  makeFolder(dirname(log), 0o1775);
  if (!isThere(log)) writeFileSync(log, '', { mode: 0o640 });
  giveToServer(log);
  makeFolder(join(folder, 'conf.d'), 0o755);
  writeFileSync(
    join(folder, 'start.conf'),
    `# Automatic startup configuration\n#   auto: automatically start the cluster\n\n${value('start-conf') ?? 'auto'}\n`,
    { mode: 0o644 },
  );
  writeFileSync(join(folder, 'pg_ctl.conf'), "# Automatic pg_ctl configuration\n\npg_ctl_options = ''\n", {
    mode: 0o644,
  });
  writeFileSync(join(folder, 'environment'), '# environment variables for postgres processes\n', {
    mode: 0o644,
  });
  const settings = {
    data_directory: data,
    hba_file: join(folder, 'pg_hba.conf'),
    ident_file: join(folder, 'pg_ident.conf'),
    external_pid_file: join(socketFolder(), `${version}-${name}.pid`),
    unix_socket_directories: socketFolder(),
    port,
    // The one address of a sandbox host. Its server shares the machine's network, so it goes no further than this.
    listen_addresses: '127.0.0.1',
    cluster_name: `${version}/${name}`,
    log_line_prefix: '%m [%p] %q%u@%d ',
    ...Object.fromEntries(
      options
        .filter(([option]) => option === 'o' || option === 'pgoption')
        .map(([, text]) => [text.split('=')[0], text.split('=').slice(1).join('=')]),
    ),
  };
  for (const [setting, text] of Object.entries(settings)) writeSetting(file, setting, text);
  appendFileSync(file, "include_dir = 'conf.d'\n");
  writeAccessRules(join(folder, 'pg_hba.conf'));
}

/** The superuser's rule comes first, as Debian has it. */
function writeAccessRules(file) {
  // Without namespaces the server sees the machine's user, whatever name it goes by on this host.
  const mapped = world.isolated ? 'peer' : 'peer map=sandbox';
  if (!world.isolated) {
    const names = new Set(['root', 'nobody', userInfo().username]);
    appendFileSync(join(folder, 'pg_ident.conf'), [...names].map((user) => `sandbox ${user} all\n`).join(''));
  }
  const text = readFileSync(file, 'utf8')
    .replace(
      /^(# *TYPE +DATABASE.*)$/m,
      `# Database administrative login by Unix domain socket\nlocal   all             postgres                                peer\n\n$1`,
    )
    .replace(/^(local .*)peer$/gm, `$1${mapped}`);
  writeFileSync(file, text);
}

function makeFolder(path, mode) {
  if (isThere(path)) return;
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  giveToServer(path);
}
