import type { JsonValue, Problem } from '@capstan/model';
import { checkExpressions } from './check-expressions.js';
import type { CheckedDocument } from './checked-document.js';
import { HOST_FUNCTIONS, parseHostExpression, unknownFunctions } from './host-expression.js';
import { bareName } from './name-parts.js';
import type { NormalCheck, NormalContract, NormalIntent, NormalJob } from './normal-documents.js';
import { checkPackRules } from './pack-part-rules.js';
import { expectedName, ProblemList } from './problem-list.js';
import { checkScenarioRules } from './scenario-rules.js';
import { reportSchema } from './schema-report.js';
import type { Path } from './source-document.js';

/** What is wrong with a document by itself, beyond its shape: whatever needs no other document to be seen. */
export function checkDocumentRules(checked: CheckedDocument): readonly Problem[] {
  const problems = new ProblemList(checked);
  const { document } = checked;
  if (document === null) return [];
  switch (document.kind) {
    case 'intent':
      checkIntent(document.normal.intent, problems);
      break;
    case 'job':
      checkJob(document.normal.job, problems);
      break;
    case 'contract':
      checkContract(document.normal, [], problems);
      break;
    case 'check':
      checkCheck(document.normal.check, problems);
      break;
    case 'scenario':
      checkScenarioRules(document.normal.scenario, problems);
      break;
    case 'pack':
      checkPackRules(document.normal, problems);
      break;
    default:
  }
  checkExpressions(document, problems);
  return problems.problems;
}

function checkIntent(intent: NormalIntent, problems: ProblemList): void {
  if (intent.target_resource === undefined && intent.target_resource_type === undefined)
    problems.add(
      'missing_key',
      'doc.missing_key',
      { key: 'target_resource_type', where: 'intent' },
      ['intent'],
      'target_resource: the key of a resource, or target_resource_type',
      { atKey: true },
    );
  const { hosts = [] } = intent;
  const lists = Array.isArray(hosts)
    ? { '': hosts as readonly string[] }
    : (hosts as Record<string, readonly string[]>);
  for (const [set, names] of Object.entries(lists)) {
    const base: Path = set === '' ? ['intent', 'hosts'] : ['intent', 'hosts', set];
    problems.noneTwice('host', names, (index) => [...base, index]);
  }
}

function checkJob(job: NormalJob, problems: ProblemList): void {
  checkHosts(job.target, ['job', 'target'], problems);
  checkParameters(job, problems);
  checkContract(job, ['job'], problems);
  if (job.run !== undefined)
    oneOf(job.run, ['script', 'command', 'http', 'manual', 'reboot'], ['job', 'run'], true, problems);
}

function checkCheck(check: NormalCheck, problems: ProblemList): void {
  oneOf(check, ['script', 'command', 'http', 'tcp'], ['check'], false, problems);
  checkHosts(check.from, ['check', 'from'], problems);
  const asksFromHere = check.http !== undefined || check.tcp !== undefined;
  // No pack command ever runs beside the credentials of the control plane (S2).
  if (check.from === 'capstan' && !asksFromHere)
    problems.add(
      'invalid_value',
      'doc.from_capstan',
      {},
      ['check', 'from'],
      'a host; from: capstan is for http and tcp',
    );
}

function oneOf(
  value: object,
  kinds: readonly string[],
  path: Path,
  required: boolean,
  problems: ProblemList,
): void {
  const given = kinds.filter((kind) => Object.hasOwn(value, kind));
  const [, second] = given;
  if (second !== undefined)
    problems.add(
      'invalid_value',
      'doc.more_than_one',
      { given: given.join(', ') },
      [...path, second],
      `one of ${kinds.join(', ')}`,
      { atKey: true },
    );
  if (required && given.length === 0)
    problems.add(
      'missing_key',
      'doc.missing_key',
      { key: kinds.join(' or '), where: path.join('.') },
      path,
      `one of ${kinds.join(', ')}`,
      { atKey: true },
    );
}

function checkHosts(source: string | undefined, path: Path, problems: ProblemList): void {
  if (source === undefined) return;
  const expression = parseHostExpression(source);
  const [unknown] = expression === null ? [] : unknownFunctions(expression);
  if (expression === null)
    problems.add(
      'invalid_value',
      'doc.invalid_value',
      { key: path.join('.'), value: source },
      path,
      'host, each(SET), first(SET) or first(healthy(SET))',
    );
  else if (unknown !== undefined) problems.unknown('function', unknown, path, HOST_FUNCTIONS);
}

/** Names in `with:` against the parameters that the job declares. */
function checkParameters(job: NormalJob, problems: ProblemList): void {
  if (job.params === undefined) return;
  const path: Path = ['job', 'params'];
  reportSchema(job.params, path, problems);
  const { properties, required } = job.params as {
    properties?: Record<string, JsonValue>;
    required?: JsonValue;
  };
  const given = Object.keys(job.with ?? {});
  if (properties === undefined || typeof properties !== 'object' || properties === null) return;
  for (const name of given) {
    if (!Object.hasOwn(properties, name)) {
      const expected = () => expectedName(name, Object.keys(properties), 'parameter');
      problems.add(
        'unknown_key',
        'doc.unknown_key',
        { key: name, where: 'job.with' },
        ['job', 'with', name],
        expected,
        { atKey: true },
      );
    } else if (isSensitive(properties[name]) && typeof job.with?.[name] === 'string') {
      const expected = '{secret: REF} or {artifact: REF}: a secret never becomes a value of an expression';
      problems.add('invalid_value', 'doc.sensitive_value', { name }, ['job', 'with', name], expected);
    }
  }
  for (const [index, name] of (Array.isArray(required) ? required : []).entries()) {
    if (typeof name !== 'string' || given.includes(name) || hasDefault(properties[name])) continue;
    problems.add(
      'missing_key',
      'doc.missing_key',
      { key: name, where: 'job.with' },
      [...path, 'required', index],
      `with: {${name}: …}`,
    );
  }
}

function checkContract(contract: NormalContract, base: Path, problems: ProblemList): void {
  const { inputs, outputs, proves = {} } = contract;
  const at = (...rest: Path): Path => [...base, ...rest];
  const subject = (ref: { readonly on?: string }, name: string) =>
    ref.on === undefined ? name : `${name} on ${ref.on}`;
  problems.noneTwice(
    'capability',
    inputs.capabilities.map((ref) => subject(ref, ref.capability)),
    (index) => at('inputs', 'capabilities', index),
  );
  problems.noneTwice(
    'artifact',
    inputs.artifacts.map((ref) => subject(ref, ref.name)),
    (index) => at('inputs', 'artifacts', index),
  );
  problems.noneTwice(
    'capability',
    outputs.capabilities.map((ref) => subject(ref, ref.capability)),
    (index) => at('outputs', 'capabilities', index),
  );
  problems.noneTwice(
    'artifact',
    outputs.artifacts.map((ref) => subject(ref, ref.name)),
    (index) => at('outputs', 'artifacts', index),
  );
  problems.noneTwice('check', outputs.evidence, (index) => at('outputs', 'evidence', index));
  const given = [
    ...outputs.capabilities.map((ref) => ref.capability),
    ...outputs.artifacts.map((ref) => ref.name),
  ];
  const givenNames = new Set(given.map(bareName));
  const evidence = new Set(outputs.evidence);
  for (const [output, checks] of Object.entries(proves)) {
    if (!givenNames.has(bareName(output)))
      problems.add(
        'unknown_reference',
        'doc.proves_nothing',
        { output },
        at('proves', output),
        () => expectedName(output, given, 'output'),
        { atKey: true },
      );
    for (const [index, check] of checks.entries())
      if (!evidence.has(check))
        problems.add('unknown_reference', 'doc.not_in_evidence', { check }, at('proves', output, index), () =>
          expectedName(check, outputs.evidence, 'check in outputs.evidence'),
        );
  }
}

function isSensitive(schema: JsonValue | undefined): boolean {
  return schema !== null && typeof schema === 'object' && !Array.isArray(schema) && schema.sensitive === true;
}

function hasDefault(schema: JsonValue | undefined): boolean {
  return (
    schema !== null &&
    typeof schema === 'object' &&
    !Array.isArray(schema) &&
    Object.hasOwn(schema, 'default')
  );
}
