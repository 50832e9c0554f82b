import type { JsonValue, Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import { documentSchema, SCHEMA_NAMES } from '@capstan/schema';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { DocumentKind } from './document-report.js';
import { nearest } from './nearest.js';
import type { Path, SourceDocument } from './source-document.js';

const MAX_PROBLEMS = 100;
/** What every missing value is told; leaving the key out is right wherever a default is. */
const VALUE_OR_NOTHING = 'a value or leave the key out';

/** The document against the JSON Schema of its kind: unknown keys, missing keys, wrong types, values out of range. */
export function checkShape(kind: DocumentKind, source: SourceDocument): readonly Problem[] {
  const empty = nullPaths(source.value);
  const problems: Problem[] = empty.slice(0, MAX_PROBLEMS).map((path) => ({
    code: 'missing_value',
    text: words('doc.missing_value', { key: name(path) }),
    place: source.keyPlace(path),
    expected: VALUE_OR_NOTHING,
  }));
  const validate = validator(kind);
  if (!validate(source.value)) {
    const told = new Set(empty.map(pointer));
    for (const error of validate.errors ?? []) {
      // Each place is a walk, so what would not be told is not looked for.
      if (problems.length >= MAX_PROBLEMS) break;
      const problem = explain(error, source);
      const at = pointer(pathOf(error));
      // A place that is told once is not told again by the outer schemas that it broke.
      if (problem === null || told.has(at)) continue;
      if (error.keyword !== 'additionalProperties' && error.keyword !== 'required') told.add(at);
      problems.push(problem);
    }
  }
  const quoted = new Set(problems.map(({ place }) => `${place?.line}:${place?.column}`));
  const unsafe = source.unsafeNumbers
    .map(({ problem }) => problem)
    .filter(({ place }) => !quoted.has(`${place?.line}:${place?.column}`));
  return [...problems, ...unsafe].slice(0, MAX_PROBLEMS);
}

let compiled: Ajv | null = null;

function validator(kind: DocumentKind): ValidateFunction {
  if (compiled === null) {
    compiled = new Ajv({
      allErrors: true,
      verbose: true,
      strict: true,
      strictTypes: false,
      strictRequired: false,
    });
    for (const schema of SCHEMA_NAMES) compiled.addSchema(documentSchema(schema));
  }
  const validate = compiled.getSchema(`${kind}.schema.json`);
  if (validate === undefined) throw new TypeError(`there is no schema for ${kind}`);
  return validate;
}

function explain(error: ErrorObject, source: SourceDocument): Problem | null {
  const path = pathOf(error);
  const description = (error.parentSchema as { description?: string } | undefined)?.description;
  switch (error.keyword) {
    case 'if':
    case 'propertyNames':
      return null;
    case 'additionalProperties':
      return unknownKey(error, path, source);
    case 'required': {
      const key = String(error.params.missingProperty);
      return {
        code: 'missing_key',
        text: words('doc.missing_key', { key, where: name(path) }),
        place: source.keyPlace(path),
        expected: description?.startsWith('one of ') ? description : `the key ${key}`,
      };
    }
    case 'type':
      return wrongType(error, path, source, description);
    case 'minItems':
    case 'minProperties':
      if (!isEmpty(error.data)) break;
      return {
        code: 'missing_value',
        text: words('doc.missing_value', { key: name(path) }),
        place: source.keyPlace(path),
        expected: VALUE_OR_NOTHING,
      };
    default:
  }
  // A key that its `propertyNames` refuses is named by the error, and stands below the map that holds it.
  const at = error.propertyName === undefined ? path : [...path, error.propertyName];
  const value = error.propertyName ?? shown(error.data);
  return {
    code: 'invalid_value',
    text: words('doc.invalid_value', { key: name(at), value }),
    place: error.propertyName === undefined ? source.place(at) : source.keyPlace(at),
    expected: `${allowed(error, description)}${meant(error)}`,
  };
}

function unknownKey(error: ErrorObject, path: Path, source: SourceDocument): Problem {
  const key = String(error.params.additionalProperty);
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const near = nearest(key, known);
  return {
    code: 'unknown_key',
    text: words('doc.unknown_key', { key, where: name(path) }),
    place: source.keyPlace([...path, key]),
    expected: near === null ? `one of ${known.join(', ')}` : `did you mean ${near}?`,
  };
}

function wrongType(
  error: ErrorObject,
  path: Path,
  source: SourceDocument,
  description: string | undefined,
): Problem {
  const types = [error.schema as string | string[]].flat();
  // `requires: {}` where a list belongs: nothing is there, so the cure is the same as for a bare `requires:`.
  if (isEmpty(error.data) && (types.includes('array') || types.includes('object')))
    return {
      code: 'missing_value',
      text: words('doc.missing_value', { key: name(path) }),
      place: source.keyPlace(path),
      expected: VALUE_OR_NOTHING,
    };
  const scalar = source.scalar(path);
  const { pattern } = (error.parentSchema ?? {}) as { pattern?: string };
  // Quotes help only where the word itself would be right: `timeout: 600` is no duration with them either.
  const couldBeText =
    types.includes('string') &&
    (pattern === undefined || new RegExp(pattern, 'u').test(scalar?.source ?? ''));
  const unquoted = couldBeText && scalar?.plain === true && typeof error.data !== 'object';
  const base = description ?? typeWords(types);
  return {
    code: 'wrong_type',
    text: unquoted
      ? words('doc.unquoted_text', { key: name(path), source: scalar.source, value: shown(error.data) })
      : words('doc.wrong_type', { key: name(path), found: typeOf(error.data) }),
    place: source.place(path),
    expected: unquoted ? `${base}; quote it: "${scalar.source}"` : base,
  };
}

function allowed(error: ErrorObject, description: string | undefined): string {
  if (error.keyword === 'enum') return `one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  if (description !== undefined && (error.keyword === 'pattern' || error.keyword === 'not'))
    return description;
  return error.message ?? 'another value';
}

function meant(error: ErrorObject): string {
  if (error.keyword !== 'enum' || typeof error.data !== 'string') return '';
  const near = nearest(error.data, (error.params.allowedValues as unknown[]).map(String));
  return near === null ? '' : `; did you mean ${near}?`;
}

function pathOf(error: ErrorObject): Path {
  return error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Every null that stands where a document needs a value. Inside a JSON Schema a null is a value: a default, a constant
 * or one of an enumeration.
 */
function nullPaths(value: JsonValue, path: Path = []): Path[] {
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => nullPaths(item, [...path, index]));
  const isSchema = path.includes('params') || path.includes('attributes');
  return Object.entries(value).flatMap(([key, item]) =>
    isSchema && ['default', 'const', 'enum', 'examples'].includes(key) ? [] : nullPaths(item, [...path, key]),
  );
}

/** How a person names a path: `job.run.retry`, `stages[0]`; the document itself at its root. */
function name(path: Path): string {
  const joined = path.map((step) => (/^\d+$/.test(String(step)) ? `[${step}]` : `.${step}`)).join('');
  return joined === '' ? 'the document' : joined.replace(/^\./, '');
}

function pointer(path: Path): string {
  return path.map(String).join('/');
}

function isEmpty(value: unknown): boolean {
  return value !== null && typeof value === 'object' && Object.keys(value).length === 0;
}

function shown(value: unknown): string {
  const json = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return json.length > 80 ? `${json.slice(0, 79)}…` : json;
}

function typeOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return (
    { object: 'a map', string: 'a text', number: 'a number', boolean: 'true or false' }[
      typeof value as 'object'
    ] ?? 'something else'
  );
}

function typeWords(types: readonly string[]): string {
  const known: Record<string, string> = {
    array: 'a list',
    object: 'a map',
    string: 'a text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
  };
  return types.map((type) => known[type] ?? type).join(' or ');
}
