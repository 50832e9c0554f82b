/** `systemctl` for the units of a sandbox host. */
import { readOptions } from './options.mjs';
import {
  knownUnit,
  reloadUnit,
  startUnit,
  stopUnit,
  unitActive,
  unitEnabled,
  writeUnitState,
} from './service-units.mjs';
import { fail, failOnDemand } from './world.mjs';

const spec = {
  q: 'flag',
  quiet: 'flag',
  now: 'flag',
  'no-pager': 'flag',
  'no-block': 'flag',
  system: 'flag',
  l: 'flag',
  full: 'flag',
  n: 'value',
  lines: 'value',
  version: 'flag',
};
const { options, rest } = readOptions(process.argv.slice(2), spec, (word) =>
  fail(
    `systemctl: ${word.startsWith('--') ? 'unrecognized option' : 'invalid option --'} '${word.replace(/^-(?!-)/, '')}'`,
  ),
);
const has = (...names) => options.some(([name]) => names.includes(name));
const quiet = has('q', 'quiet');
const [verb, ...words] = rest;

failOnDemand('systemctl');
if (has('version')) process.stdout.write('systemd 252 (252.38-1~deb12u1)\n');
else if (verb === 'daemon-reload' || verb === 'reset-failed') process.exitCode = 0;
else if (words.length === 0) fail(verb === undefined ? 'Missing command verb.' : 'Too few arguments.');
else for (const word of words) await act(word);

async function act(word) {
  const full = word.endsWith('.service') ? word : `${word}.service`;
  const unit = knownUnit(word);
  switch (verb) {
    case 'is-active':
      return report(unit !== undefined && (await unitActive(unit)) ? 'active' : 'inactive', 'active', 3);
    case 'is-enabled':
      if (unit === undefined)
        return complain(`Failed to get unit file state for ${full}: No such file or directory`, 1);
      return report(unitEnabled(unit) ? 'enabled' : 'disabled', 'enabled', 1);
    case 'status':
      return await status(unit, full);
    case 'enable':
    case 'disable':
      return await install(unit, full);
    case 'start':
    case 'stop':
    case 'restart':
    case 'reload':
    case 'reload-or-restart':
    case 'try-restart':
      if (unit === undefined) return complain(`Failed to ${verb} ${full}: Unit ${full} not found.`, 5);
      return await control(unit, full);
    default:
      return fail(`Unknown command verb ${verb}.`);
  }
}

async function control(unit, full) {
  if (verb === 'stop') return outcome(await stopUnit(unit));
  if (verb === 'reload') {
    if (!(await unitActive(unit))) return complain(`${full} is not active, cannot reload.`, 1);
    return outcome(await reloadUnit(unit));
  }
  if (verb === 'reload-or-restart' && (await unitActive(unit))) return outcome(await reloadUnit(unit));
  if (verb === 'try-restart' && !(await unitActive(unit))) return;
  if (verb !== 'start') {
    const stopped = await stopUnit(unit);
    if (stopped.code !== 0) return outcome(stopped);
  }
  outcome(await startUnit(unit));
}

async function install(unit, full) {
  if (unit === undefined) return complain(`Failed to ${verb} unit: Unit file ${full} does not exist.`, 1);
  if (!quiet) {
    const name = full.replace(/\.service$/, '');
    process.stderr.write(
      `Synchronizing state of ${full} with SysV service script with /lib/systemd/systemd-sysv-install.\nExecuting: /lib/systemd/systemd-sysv-install ${verb} ${name}\n`,
    );
  }
  writeUnitState(unit, { enabled: verb === 'enable' });
  if (has('now')) outcome(verb === 'enable' ? await startUnit(unit) : await stopUnit(unit));
}

async function status(unit, full) {
  if (unit === undefined) return complain(`Unit ${full} could not be found.`, 4);
  const active = await unitActive(unit);
  process.stdout.write(
    `${active ? '●' : '○'} ${full} - PostgreSQL (stand-in of a sandbox host)\n     Loaded: loaded (/lib/systemd/system/${full}; ${unitEnabled(unit) ? 'enabled' : 'disabled'}; preset: enabled)\n     Active: ${active ? 'active (running)' : 'inactive (dead)'}\n`,
  );
  if (!active) process.exitCode = 3;
}

function report(state, good, code) {
  if (!quiet) process.stdout.write(`${state}\n`);
  if (state !== good) process.exitCode = code;
}

function outcome(result) {
  if (result.text !== '') process.stderr.write(result.text);
  if (result.code !== 0) process.exitCode = 1;
}

function complain(text, code) {
  process.stderr.write(`${text}\n`);
  process.exitCode = code;
}
