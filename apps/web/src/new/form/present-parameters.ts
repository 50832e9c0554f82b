import { choicesOf } from './choices';
import { listOf, type ParamsSchema, requiredOf, schemaOf, typeOf } from './params-schema';

/** How a parameter is asked for. `plain` = text, whole number or number; `json` = an editor for anything else. */
export type FieldKind =
  | 'plain'
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'host'
  | 'secret'
  | 'object'
  | 'list'
  | 'json';

/** A schema that only says what to draw, and the field for each place of it. */
export interface Presented {
  readonly schema: ParamsSchema;
  readonly fields: FieldLayout;
}

export interface FieldLayout {
  readonly kind: FieldKind;
  /** The scenario's own schema at this place. */
  readonly source: ParamsSchema;
  readonly properties?: Readonly<Record<string, FieldLayout>>;
  readonly items?: FieldLayout;
}

/**
 * What the form draws for a schema. RJSF gets types, titles and structure only: its own walk over defaults, `oneOf` and
 * `allOf` picks values that nobody chose [V18], so defaults come from `initial-parameters.ts` and constraints are
 * judged over the scenario's own schema. `leaveOut` names root properties that are asked for elsewhere.
 */
export function presentParameters(params: ParamsSchema, leaveOut: readonly string[] = []): Presented {
  const properties = Object.fromEntries(
    Object.entries(rootProperties(params)).filter(([name]) => !leaveOut.includes(name)),
  );
  return presentObject({ ...params, properties, type: 'object' });
}

/** What a field of this schema is; whatever is not understood is edited as JSON and never hidden [UX-E18]. */
export function fieldKind(schema: ParamsSchema): FieldKind {
  if (schema.sensitive === true) return 'secret';
  if (Object.keys(schema).some((keyword) => !DRAWN.has(keyword) && !CONSTRAINTS.has(keyword))) return 'json';
  if (choicesOf(schema) !== null) return 'choice';
  switch (typeOf(schema)) {
    case 'string':
      return schema.format === 'capstan-host' ? 'host' : 'plain';
    case 'integer':
    case 'number':
      return 'plain';
    case 'boolean':
      return 'boolean';
    case 'array':
      return listKind(schema);
    case 'object':
      return objectKind(schema);
    default:
      return 'json';
  }
}

/** Keywords that say what to draw. */
const DRAWN = new Set([
  ...['type', 'title', 'description', 'default', 'examples', 'format', 'sensitive', 'deprecated', '$comment'],
  ...[
    'enum',
    'const',
    'oneOf',
    'anyOf',
    'properties',
    'required',
    'items',
    'uniqueItems',
    'additionalProperties',
  ],
]);
/** Keywords that are only judged: nothing of them is drawn, and nothing that they allow is out of reach. */
const CONSTRAINTS = new Set([
  ...['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'minItems', 'maxItems', 'contains', 'minProperties', 'maxProperties', 'propertyNames'],
  ...['allOf', 'not', 'if', 'then', 'else'],
]);

function listKind(schema: ParamsSchema): FieldKind {
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return 'json';
  const items = schemaOf(schema.items);
  const kind = fieldKind(items);
  if (kind === 'choice') return schema.uniqueItems === true ? 'choices' : 'list';
  return kind === 'json' || kind === 'secret' ? 'json' : 'list';
}

/** An object with names of its own choice, or with more names in its alternatives, has no fixed fields. */
function objectKind(schema: ParamsSchema): FieldKind {
  const open = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  const names = Object.keys(schemaOf(schema.properties));
  const more = Object.keys(alternativeProperties(schema)).some((name) => !names.includes(name));
  return open || more || names.length === 0 ? 'json' : 'object';
}

function present(schema: ParamsSchema): Presented {
  const kind = fieldKind(schema);
  if (kind === 'object') return presentObject(schema);
  if (kind === 'list') {
    const items = present(schemaOf(schema.items));
    return {
      schema: { ...words(schema), type: 'array', items: { ...items.schema } },
      fields: { kind, source: schema, items: items.fields },
    };
  }
  return { schema: { ...words(schema), type: drawnType(kind, schema) }, fields: { kind, source: schema } };
}

function presentObject(schema: ParamsSchema): Presented {
  const properties = Object.entries(schemaOf(schema.properties)).map(
    ([name, property]) => [name, present(schemaOf(property))] as const,
  );
  const names = new Set(properties.map(([name]) => name));
  return {
    schema: {
      ...words(schema),
      type: 'object',
      properties: Object.fromEntries(properties.map(([name, { schema: drawn }]) => [name, { ...drawn }])),
      required: [...requiredOf(schema)].filter((name) => names.has(name)),
    },
    fields: {
      kind: 'object',
      source: schema,
      properties: Object.fromEntries(properties.map(([name, { fields }]) => [name, fields])),
    },
  };
}

/** The type that RJSF sees; fields that draw a whole value themselves are texts to it. */
function drawnType(kind: FieldKind, schema: ParamsSchema): string {
  return kind === 'plain' ? (typeOf(schema) ?? 'string') : 'string';
}

function words({ title, description }: ParamsSchema): ParamsSchema {
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}

/** The properties of the root, and those that only its alternatives name: a planner accepts them too. */
function rootProperties(params: ParamsSchema): ParamsSchema {
  return { ...alternativeProperties(params), ...schemaOf(params.properties) };
}

function alternativeProperties(schema: ParamsSchema): ParamsSchema {
  const parts = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listOf(schema[keyword])),
    ...['then', 'else'].flatMap((keyword) => schema[keyword] ?? []),
  ];
  return Object.assign({}, ...parts.map((part) => schemaOf(schemaOf(part).properties)));
}
