import { parseArgs } from 'node:util';
import { registerHosts } from './lab-register.mjs';
import { prepare } from './prepare.mjs';
import { repositoryRoot } from './repository.mjs';

const usage = `Usage: npm run lab -- VERB [--instance NAME] [--json]
  up --tier debian [--hosts N] [--names a,b,…]   boot real Debian hosts (root on Debian Linux)
  status                                         what is there
  down [--forget]                                remove it all, also after a crash
  break FAULT HOST, heal FAULT HOST              faults: dns link apt dpkg-lock disk sshd clock`;

const options = {
  tier: { type: 'string', default: 'debian' },
  hosts: { type: 'string', default: '1' },
  names: { type: 'string' },
  instance: { type: 'string', default: 'lab' },
  forget: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
};

/** `npm run lab`: the Debian hosts of this machine. Results go to stdout, everything else to stderr. */
export async function runLab(args) {
  const asked = parse(args);
  if (typeof asked === 'string') return refuse(`${asked}\n${usage}`);
  const prepared = await prepare(repositoryRoot, console.error);
  if (!prepared.ok) return fail(prepared.lines.join('\n'));
  const lab = await import('@capstan/lab');
  const [verb, ...words] = asked.positionals;
  const place = {
    cache: process.env.CAPSTAN_LAB_CACHE || '/var/cache/capstan-lab',
    instance: asked.values.instance,
  };
  const missing = await lab.whyNoDebianHosts();
  if (missing)
    return fail(`Debian hosts cannot run here: ${missing}. The sandbox hosts of npm start need nothing.`);
  try {
    await verbs[verb](lab, place, asked.values, words);
  } catch (error) {
    fail(error.message);
  }
}

const verbs = {
  async up(lab, place, values) {
    const names = values.names
      ? values.names.split(',')
      : Array.from({ length: Number(values.hosts) }, (_, at) => `h${at + 1}`);
    const began = Date.now();
    const up = await lab.startDebianLab({ ...place, names, say: (line) => console.error(line) });
    console.error(`${names.length} hosts answer after ${((Date.now() - began) / 1000).toFixed(1)} s`);
    const inventory = up.hosts.map(({ name, address, port, user, keyFile, hostKeyFingerprint }) => ({
      ...{ name, address, port, user, keyFile, hostKeyFingerprint },
    }));
    const registered = await registerHosts(inventory);
    show(values, { instance: place.instance, tier: 'debian', registered, hosts: inventory }, () =>
      inventory.map(
        (host) => `${host.name}\t${host.user}@${host.address}:${host.port}\t${host.hostKeyFingerprint}`,
      ),
    );
  },
  async status(lab, place, values) {
    const status = lab.debianLabStatus(place);
    show(values, status, () => [
      `${place.instance}: ${status.state}`,
      ...status.hosts.map(
        (host) => `${host.name}\t${host.address}\t${host.running ? 'running' : 'not running'}`,
      ),
      ...(status.state === 'up' ? [] : status.remains),
    ]);
  },
  async down(lab, place, values) {
    await lab.removeDebianLab(place, { keepKeys: !values.forget });
    show(values, lab.debianLabStatus(place), () => [`${place.instance}: down`]);
  },
  break: (lab, place, values, words) => fault('break', lab, place, values, words),
  heal: (lab, place, values, words) => fault('heal', lab, place, values, words),
};

async function fault(verb, lab, place, values, [name, host]) {
  const up = lab.findDebianLab(place);
  if (!up) return fail(`the lab "${place.instance}" is not up: npm run lab -- status`);
  await up[verb](name, host);
  show(values, { [verb]: name, host }, () => [
    `${name} of ${host}: ${verb === 'break' ? 'broken' : 'healed'}`,
  ]);
}

/** The parsed words, or what is wrong with them. */
function parse(args) {
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    return error.message;
  }
  const [verb, ...words] = parsed.positionals;
  if (!Object.hasOwn(verbs, verb ?? '')) return verb ? `"${verb}" is no verb.` : 'Say what to do.';
  const takes = verb === 'break' || verb === 'heal' ? 2 : 0;
  if (words.length !== takes)
    return `${verb} takes ${takes === 2 ? 'a fault and a host' : 'no further words'}.`;
  if (takes && !faults.includes(words[0])) return `"${words[0]}" is no fault.`;
  if (parsed.values.tier !== 'debian')
    return 'Only the tier debian is started here; npm start has the sandbox.';
  if (!/^[1-9]\d{0,2}$/.test(parsed.values.hosts))
    return `--hosts ${parsed.values.hosts} is no number of hosts.`;
  return parsed;
}

const faults = ['dns', 'link', 'apt', 'dpkg-lock', 'disk', 'sshd', 'clock'];

function show(values, document, lines) {
  if (values.json) console.log(JSON.stringify(document, null, 2));
  else for (const line of lines()) console.log(line);
}

function refuse(text) {
  console.error(text);
  process.exitCode = 2;
}

function fail(text) {
  console.error(text);
  process.exitCode = 1;
}
