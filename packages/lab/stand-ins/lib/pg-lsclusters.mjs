/** `pg_lsclusters [-h] [version [name]]`. */
import { clusters, isRunning } from './cluster.mjs';
import { readOptions } from './options.mjs';
import { fail } from './world.mjs';

const usage =
  'Usage: pg_lsclusters [-hs]\n\nOptions:\n  -h --no-header   Omit column headers in output\n  -s --start-conf  Include start.conf information in status column\n     --help        Print help';
const spec = { h: 'flag', 'no-header': 'flag', s: 'flag', 'start-conf': 'flag', help: 'flag' };
const { options, rest } = readOptions(process.argv.slice(2), spec, (word) =>
  fail(`Unknown option: ${word.replace(/^-+/, '')}\n${usage}`),
);
const has = (...names) => options.some(([name]) => names.includes(name));
if (has('help')) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

const [version, name] = rest.length === 1 ? rest[0].split(/[-/]/) : rest;
if (version !== undefined && !/^\d+(\.\d+)?$/.test(version))
  fail(`Error: Invalid version number "${version}"`);
const shown = clusters().filter(
  (cluster) =>
    (version === undefined || cluster.version === version) && (name === undefined || cluster.name === name),
);
if (name !== undefined && shown.length === 0) fail(`Error: Cluster ${version} ${name} does not exist`);

const lines = has('h', 'no-header')
  ? []
  : [['Ver', 'Cluster', 'Port', 'Status', 'Owner', 'Data directory', 'Log file']];
for (const cluster of shown) {
  const status = `${(await isRunning(cluster)) ? 'online' : 'down'}${has('s', 'start-conf') ? `,${cluster.start}` : ''}`;
  lines.push([
    cluster.version,
    cluster.name,
    String(cluster.port),
    status,
    cluster.owner,
    cluster.data,
    cluster.log,
  ]);
}
const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column].length))) ?? [];
for (const line of lines) {
  process.stdout.write(
    `${line.map((cell, column) => (column === 6 ? cell : cell.padEnd(widths[column]))).join(' ')}\n`,
  );
}
