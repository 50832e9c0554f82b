/** `psql` as scripts use it, over npm `pg`: the same output, the same words, exit codes 1, 2 and 3. */
import { readFileSync } from 'node:fs';
import { readOptions } from './options.mjs';
import { openConnection } from './psql-connection.mjs';
import { errorWords, printResult } from './psql-print.mjs';
import { readScript } from './psql-script.mjs';
import { failOnDemand } from './world.mjs';

const spec = {
  X: 'flag',
  'no-psqlrc': 'flag',
  A: 'flag',
  'no-align': 'flag',
  t: 'flag',
  'tuples-only': 'flag',
  q: 'flag',
  quiet: 'flag',
  w: 'flag',
  'no-password': 'flag',
  v: 'value',
  set: 'value',
  variable: 'value',
  h: 'value',
  host: 'value',
  p: 'value',
  port: 'value',
  U: 'value',
  username: 'value',
  d: 'value',
  dbname: 'value',
  c: 'value',
  command: 'value',
  f: 'value',
  file: 'value',
  F: 'value',
  'field-separator': 'value',
  b: 'flag',
  V: 'flag',
  version: 'flag',
};
const { options, rest } = readOptions(process.argv.slice(2), spec, (word) => {
  process.stderr.write(
    `psql: invalid option -- '${word.replace(/^-+/, '')}'\npsql: hint: Try "psql --help" for more information.\n`,
  );
  process.exit(1);
});
const value = (...names) => options.findLast(([name]) => names.includes(name))?.[1];
const has = (...names) => options.some(([name]) => names.includes(name));
const variables = new Map(
  options
    .filter(([name]) => ['v', 'set', 'variable'].includes(name))
    .map(([, text]) => [text.split('=')[0], text.split('=').slice(1).join('=')]),
);
const settings = {
  unaligned: has('A', 'no-align'),
  tuplesOnly: has('t', 'tuples-only'),
  separator: value('F', 'field-separator') ?? '|',
};
const quiet = has('q', 'quiet');

failOnDemand('psql');
if (has('V', 'version')) {
  process.stdout.write('psql (PostgreSQL) stand-in of a sandbox host\n');
  process.exit(0);
}
const session = await openConnection({
  host: value('h', 'host'),
  port: value('p', 'port'),
  user: value('U', 'username') ?? rest[1],
  database: value('d', 'dbname') ?? rest[0],
});
const { client } = session;
let place = '';
client.on('notice', (notice) => process.stderr.write(`${place}${errorWords(notice)}`));
let tags = [];
client.connection.on('commandComplete', (message) => tags.push(message.text));

const code = await runAll(options.filter(([name]) => ['c', 'command', 'f', 'file'].includes(name)));
// After a lost connection the server's goodbye never comes.
await Promise.race([client.end(), new Promise((resolve) => setTimeout(resolve, 500))]);
process.exit(code);

async function runAll(actions) {
  // Without -f and -c the words about an error carry no place.
  if (actions.length === 0) return await runScript(readFileSync(0, 'utf8'), '');
  let last = 0;
  for (const [name, text] of actions) {
    last = name === 'c' || name === 'command' ? await runCommand(text) : await runFile(text);
    if (last !== 0 && stopsOnError()) return last;
  }
  return last;
}

/** `-c` goes to the server as it is, variables and all; a backslash command is the exception. */
async function runCommand(text) {
  if (text.trimStart().startsWith('\\')) return await runScript(text.trim(), '');
  place = '';
  return (await execute(text)) === 'ok' ? 0 : client.connection.stream.destroyed ? 2 : 1;
}

async function runFile(name) {
  const source = name === '-' ? readFileSync(0, 'utf8') : readFileOrNothing(name);
  if (source === undefined) return 1;
  return await runScript(source, name === '-' ? '<stdin>' : name);
}

async function runScript(source, name) {
  let failed = false;
  for (const item of readScript(source, variables)) {
    place = name === '' ? '' : `psql:${name}:${item.line}: `;
    const outcome = item.kind === 'sql' ? await execute(item.text) : await command(item);
    if (outcome === 'quit') return 0;
    if (outcome === 'ok') continue;
    failed = true;
    if (client.connection.stream.destroyed) return 2;
    if (stopsOnError()) return 3;
  }
  return failed && stopsOnError() ? 3 : 0;
}

/** Runs one text on the server and prints what it gives: `ok` or `failed`. */
async function execute(text, print = printAll) {
  tags = [];
  try {
    const answer = await client.query({ text, rowMode: 'array' });
    print(Array.isArray(answer) ? answer : [answer]);
    return 'ok';
  } catch (error) {
    const lost = client.connection.stream.destroyed || error.severity === undefined;
    process.stderr.write(lost ? `${place}${error.message}\n` : `${place}${errorWords(error, text)}`);
    return 'failed';
  }
}

function printAll(results) {
  results.forEach((result, index) => {
    printResult(result, settings);
    if (!quiet && result.fields.length === 0 && tags[index] !== undefined)
      process.stdout.write(`${tags[index]}\n`);
  });
}

async function command({ name, words, buffer }) {
  switch (name) {
    case 'set':
      variables.set(words[0], words.slice(1).join(''));
      return 'ok';
    case 'unset':
      variables.delete(words[0]);
      return 'ok';
    case 'echo':
      process.stdout.write(`${words.join(' ')}\n`);
      return 'ok';
    case 'q':
      return 'quit';
    case 'g':
      return await execute(buffer);
    case 'gset':
      return await execute(buffer, (results) => {
        const result = results[0];
        for (const [column, field] of result.fields.entries()) {
          variables.set(`${words[0] ?? ''}${field.name}`, result.rows[0]?.[column] ?? '');
        }
      });
    case 'gexec':
      return await executeCells(buffer);
    default:
      process.stderr.write(`${place}error: invalid command \\${name}\n`);
      return 'failed';
  }
}

/** Every cell of the result is a statement of its own, row by row. */
async function executeCells(buffer) {
  let cells = [];
  const outcome = await execute(buffer, (results) => {
    cells = results.flatMap((result) => result.rows).flat();
  });
  if (outcome !== 'ok') return outcome;
  for (const statement of cells.filter((cell) => cell !== null)) {
    if ((await execute(statement)) !== 'ok') return 'failed';
  }
  return 'ok';
}

function readFileOrNothing(name) {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    process.stderr.write(
      `psql: error: ${name}: ${error.code === 'ENOENT' ? 'No such file or directory' : error.message}\n`,
    );
    return undefined;
  }
}

function stopsOnError() {
  return ['1', 'on', 'true', 'yes'].includes((variables.get('ON_ERROR_STOP') ?? '').toLowerCase());
}
