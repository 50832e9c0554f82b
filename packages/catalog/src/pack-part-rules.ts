import type { NormalPackParts } from './normal-documents.js';
import { redactFault } from './pattern.js';
import type { ProblemList } from './problem-list.js';
import { reportSchema } from './schema-report.js';
import type { Path } from './source-document.js';

/** What is wrong with the declarations of a pack by themselves. */
export function checkPackRules(parts: NormalPackParts, problems: ProblemList): void {
  const { resource_types: types = [], capabilities = [], artifacts = [] } = parts;
  problems.noneTwice(
    'resource type',
    types.map(({ id }) => id),
    (index) => ['resource_types', index, 'id'],
  );
  problems.noneTwice(
    'key prefix',
    types.map(({ key }) => key),
    (index) => ['resource_types', index, 'key'],
  );
  problems.noneTwice(
    'capability',
    capabilities.map(({ id }) => id),
    (index) => ['capabilities', index, 'id'],
  );
  problems.noneTwice(
    'artifact',
    artifacts.map(({ name }) => name),
    (index) => ['artifacts', index, 'name'],
  );
  for (const [index, type] of types.entries())
    reportSchema(type.attributes, ['resource_types', index, 'attributes'], problems);
  for (const [index, type] of capabilities.entries()) {
    const path: Path = ['capabilities', index];
    reportSchema(type.attributes, [...path, 'attributes'], problems);
    // A capability that only follows from another one needs no owner of its own.
    if (type.of === undefined && type.implied_by === undefined)
      problems.add(
        'missing_key',
        'doc.missing_key',
        { key: 'of', where: type.id },
        [...path, 'id'],
        'of: the resource type that can hold it',
      );
    const attribute = type.version_attribute;
    const { properties } = (type.attributes ?? {}) as { properties?: object };
    if (attribute !== undefined && (properties === undefined || !Object.hasOwn(properties, attribute)))
      problems.unknown('attribute', attribute, [...path, 'version_attribute'], Object.keys(properties ?? {}));
  }
  for (const [index, { redact = [] }] of artifacts.entries()) {
    for (const [at, pattern] of redact.entries()) {
      const detail = redactFault(pattern);
      if (detail !== null)
        problems.add(
          'invalid_value',
          'doc.invalid_pattern',
          { pattern, detail },
          ['artifacts', index, 'redact', at],
          'a pattern that ends quickly on every text, and matches something',
        );
    }
  }
}
