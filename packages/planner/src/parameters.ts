import type { Intent, JsonValue, Outcome, Problem, Scenario } from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import type { Known, Subject } from './frame.js';
import type { SchemaFault } from './json-schema.js';
import { applySchema } from './json-schema.js';
import { objectOf } from './schema-values.js';

type Values = Readonly<Record<string, JsonValue>>;

/**
 * The intent's parameters, checked against the scenario's schema with defaults filled in. `name` names the resource:
 * it is a parameter only where the schema asks for it. Without a subject the rest is still checked, so that a misspelt
 * name is told beside the missing one.
 */
export function checkParameters(
  intent: Intent,
  scenario: Scenario,
  subject: Subject | null,
  known: Known,
): Outcome<Values> {
  const declared = declaresName(scenario.params);
  const { name: _name, ...rest } = intent.desiredResult;
  const given = declared && subject !== null ? { ...rest, name: subject.name } : rest;
  const hosts = [...known.hosts.values()].map((host) => host.name);
  const { value, faults } = applySchema(objectOf(scenario.params), given, '', { strict: true, hosts });
  if (faults.length > 0) return refused(...faults.map((fault) => faultProblem(fault)));
  return ok(value as Values);
}

/** A schema fault as a problem; `where` names the job when the value is not the person's own. */
export function faultProblem(fault: SchemaFault, where?: string): Problem {
  const path = where === undefined ? fault.path : `${where}: ${fault.path}`;
  const { expected, found } = fault;
  switch (fault.kind) {
    case 'unknown':
      return { code: 'unknown_parameter', text: text('plan.unknown_parameter', { path }), expected };
    case 'missing':
      return { code: 'invalid_parameter', text: text('plan.missing_parameter', { path }), expected };
    case 'invalid':
      return { code: 'invalid_parameter', text: text('plan.invalid_parameter', { path, found }), expected };
    case 'nul':
      return { code: 'nul_in_parameter', text: text('plan.nul', { path }), expected };
    case 'unknown_host':
      return { code: 'unknown_host', text: text('plan.unknown_host', { host: found, path }), expected };
    case 'unsupported':
      return { code: 'not_supported', text: text('plan.unsupported_schema', { path }), expected };
  }
}

function declaresName(schema: JsonValue): boolean {
  return Object.hasOwn(objectOf(objectOf(schema).properties), 'name');
}
