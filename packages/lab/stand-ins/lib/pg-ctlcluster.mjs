/** `pg_ctlcluster version name action`, also `version-name action` and the action first. */
import { findCluster, isRunning } from './cluster.mjs';
import { readOptions } from './options.mjs';
import { reloadServer, runNative, startServer, stopServer } from './server-process.mjs';
import { fail, failOnDemand } from './world.mjs';

const ACTIONS = ['start', 'stop', 'restart', 'reload', 'status'];
const spec = { f: 'flag', force: 'flag', m: 'value', mode: 'value', 'skip-systemctl-redirect': 'flag' };
const { options, rest } = readOptions(process.argv.slice(2), spec, (word) =>
  fail(`Unknown option: ${word.replace(/^-+/, '')}`),
);
const words = rest.flatMap((word) => /^(\d+(?:\.\d+)?)[-/](.+)$/.exec(word)?.slice(1) ?? [word]);
const action = words.find((word) => ACTIONS.includes(word));
const [version, name] = words.filter((word) => word !== action);
const mode = options.findLast(([option]) => option === 'm' || option === 'mode')?.[1] ?? 'fast';

failOnDemand('pg_ctlcluster');
if (action === undefined || version === undefined || name === undefined) {
  fail('Error: Usage: pg_ctlcluster <version> <cluster> <action> [-- <pg_ctl options>]');
}
const cluster = findCluster(version, name);
if (cluster === undefined) fail(`Error: specified cluster '${version} ${name}' does not exist`);
if (cluster.owner === '<unknown>') fail(`Error: ${cluster.data} is not accessible or does not exist`);
if (action !== 'stop' && cluster.start === 'disabled') fail('Error: Cluster is disabled');

const result = await act();
(result.code === 1 ? process.stderr : process.stdout).write(result.text);
process.exitCode = result.code;

async function act() {
  if (action === 'start') return await startServer(cluster);
  if (action === 'stop') return await stopServer(cluster, mode);
  if (action === 'reload') return reloadServer(cluster);
  if (action === 'status') {
    const status = runNative('pg_ctl', ['-D', cluster.data, 'status']);
    return { code: status.status, text: status.output };
  }
  if (await isRunning(cluster)) {
    const stopped = await stopServer(cluster, mode);
    if (stopped.code !== 0) return stopped;
  }
  return await startServer(cluster);
}
