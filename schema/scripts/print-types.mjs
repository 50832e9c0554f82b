// Prints the TypeScript types of the documents, from the JSON Schemas: what a checked document can hold as written.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
const suffix = '.schema.json';
const schemas = readdirSync(folder)
  .filter((file) => file.endsWith(suffix))
  .sort()
  .map((file) => ({
    name: file.slice(0, -suffix.length),
    schema: JSON.parse(readFileSync(join(folder, file), 'utf8')),
  }));

const lines = [
  '// Printed by scripts/print-types.mjs from the schemas beside it: change those.',
  '',
  '/** A value that a schema leaves open. */',
  'export type RawJson = null | boolean | number | string | RawJson[] | { [key: string]: RawJson };',
  '',
];
for (const { name, schema } of schemas) {
  for (const [id, definition] of Object.entries(schema.definitions ?? {})) {
    lines.push(`export type ${typeName(name, id)} = ${typeOf(definition, name)};`);
  }
  if (name === 'common') continue;
  lines.push(`/** ${schema.title}. */`, `export type ${pascal(name)}Document = ${typeOf(schema, name)};`, '');
}
process.stdout.write(format(lines.join('\n')));

function typeOf(schema, file) {
  if (schema.$ref) return refType(schema.$ref, file);
  const union = schema.then ? [schema.then, schema.else].map((part) => typeOf(part, file)) : [];
  if (union.length > 0) return [...new Set(union)].join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, file)).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return `readonly (${schema.items ? typeOf(schema.items, file) : 'RawJson'})[]`;
    case 'object':
      return objectType(schema, file);
    default:
      return 'RawJson';
  }
}

function objectType({ properties, required = [], additionalProperties }, file) {
  const members = Object.entries(properties ?? {}).map(
    ([key, value]) => `readonly ${key}${required.includes(key) ? '' : '?'}: ${typeOf(value, file)};`,
  );
  const open =
    typeof additionalProperties === 'object'
      ? `Readonly<Record<string, ${typeOf(additionalProperties, file)}>>`
      : '{ [key: string]: RawJson }';
  if (members.length === 0) return open;
  const known = `{ ${members.join(' ')} }`;
  return additionalProperties === false ? known : `${known} & ${open}`;
}

/** `#/definitions/x`, `file.schema.json#/definitions/x`, or a property of such a definition. */
function refType(ref, file) {
  const [target, pointer] = ref.split('#/definitions/');
  const [id, ...rest] = pointer.split('/');
  const name = typeName(target === '' ? file : target.slice(0, -suffix.length), id);
  const keys = rest.filter((step) => step !== 'properties');
  return keys.reduce((type, key) => `NonNullable<${type}['${key}']>`, name);
}

function typeName(file, id) {
  return `Raw${file === 'common' ? '' : pascal(file)}${pascal(id)}`;
}

function pascal(name) {
  return name.replace(/(^|[_-])([a-z])/g, (_, __, letter) => letter.toUpperCase());
}

function format(source) {
  const biome = spawnSync('biome', ['format', '--stdin-file-path=schema/src/documents.ts'], {
    input: source,
    encoding: 'utf8',
    cwd: join(folder, '..'),
    env: {
      ...process.env,
      PATH: `${join(folder, '../node_modules/.bin')}:${process.env.PATH ?? ''}`,
    },
  });
  if (biome.status !== 0) throw new Error(`biome failed: ${biome.error ?? biome.stderr}`);
  return biome.stdout;
}
