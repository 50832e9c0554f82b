import type { JsonValue } from '@capstan/model';
import { schemaFaults } from './param-schema.js';
import type { ProblemList } from './problem-list.js';
import type { Path } from './source-document.js';

/** Adds the faults of a JSON Schema that stands in a document. */
export function reportSchema(schema: JsonValue | undefined, path: Path, problems: ProblemList): void {
  if (schema === undefined) return;
  for (const { path: at, detail, expected } of schemaFaults(schema, path))
    problems.add('invalid_value', 'doc.invalid_schema', { detail }, at, expected, { atKey: true });
}
