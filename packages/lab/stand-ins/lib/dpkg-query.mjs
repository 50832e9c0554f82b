/** `dpkg-query -W|-s`, with the fields that scripts ask for. */

import { readOptions } from './options.mjs';
import { architecture, installed } from './package-archive.mjs';
import { fail } from './world.mjs';

const usage = (word) =>
  fail(`dpkg-query: error: unknown option ${word}\n\nUse --help for help about querying packages.`, 2);
const spec = {
  W: 'flag',
  show: 'flag',
  s: 'flag',
  status: 'flag',
  f: 'value',
  showformat: 'value',
  l: 'flag',
  list: 'flag',
};
const { options, rest } = readOptions(process.argv.slice(2), spec, usage);
const has = (...names) => options.some(([name]) => names.includes(name));
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: dpkg writes its fields that way
const DEFAULT_FORMAT = '${binary:Package}\\t${Version}\\n';
const STATUS_FORMAT = [
  'Package: ${Package}',
  'Status: ${Status}',
  'Priority: optional',
  'Section: database',
  'Maintainer: Capstan sandbox',
  'Architecture: ${Architecture}',
  'Version: ${Version}',
  '',
].join('\\n');
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: dpkg writes its fields that way
const format = options.findLast(([name]) => name === 'f' || name === 'showformat')?.[1];

if (has('W', 'show')) show(rest, format ?? DEFAULT_FORMAT);
else if (has('s', 'status')) status(rest);
else if (has('l', 'list')) list();
else fail('dpkg-query: error: need an action option\n\nUse --help for help about querying packages.', 2);

function show(names, template) {
  const have = installed();
  const missing = names.filter((name) => have[name] === undefined);
  const found = names.length === 0 ? Object.values(have) : names.flatMap((name) => have[name] ?? []);
  process.stdout.write(found.map((item) => render(template, item)).join(''));
  for (const name of missing) process.stderr.write(`dpkg-query: no packages found matching ${name}\n`);
  process.exitCode = missing.length > 0 ? 1 : 0;
}

function status(names) {
  const have = installed();
  for (const name of names) {
    const item = have[name];
    if (item === undefined) {
      process.stderr.write(
        `dpkg-query: package '${name}' is not installed and no information is available\nUse dpkg --info (= dpkg-deb --info) to examine archive files.\n`,
      );
      process.exitCode = 1;
      continue;
    }
    process.stdout.write(render(STATUS_FORMAT, item));
    if (item.depends.length > 0) process.stdout.write(`Depends: ${item.depends.join(', ')}\n`);
    process.stdout.write('Description: stand-in of a sandbox host\n\n');
  }
}

function list() {
  process.stdout.write(
    'Desired=Unknown/Install/Remove/Purge/Hold\n| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend\n|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)\n||/ Name Version Architecture Description\n',
  );
  for (const item of Object.values(installed())) {
    process.stdout.write(`ii  ${item.name} ${item.version} ${architecture} stand-in of a sandbox host\n`);
  }
}

function render(template, item) {
  const fields = {
    Package: item.name,
    'binary:Package': item.name,
    Version: item.version,
    Architecture: architecture,
    Depends: item.depends.join(', '),
    Status: 'install ok installed',
    'db:Status-Status': 'installed',
    'db:Status-Abbrev': 'ii ',
    'db:Status-Want': 'install',
    'db:Status-Eflag': 'ok',
  };
  return template
    .replace(/\$\{([^}]+)\}/g, (_, name) => fields[name.split(';')[0]] ?? '')
    .replace(/\\([nt\\])/g, (_, letter) => ({ n: '\n', t: '\t', '\\': '\\' })[letter]);
}
