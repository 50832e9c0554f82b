import type { Intent, JsonValue, Outcome, Problem } from '@capstan/model';
import { ok, refused, text as words } from '@capstan/model';
import { judgeDocument } from './checked-document.js';
import { checkDocumentRules } from './document-rules.js';
import type { NormalIntent } from './normal-documents.js';
import { parseYaml } from './parse-yaml.js';
import { rawPath } from './raw-path.js';
import type { Path, SourceDocument } from './source-document.js';

/** An intent and the text that it came from, so that what a planner finds later can be shown in its place. */
export interface IntentSource {
  readonly intent: Intent;
  /** The same problems, with the place of the parameter that they are about; its own words where YAML changed them. */
  locate(problems: readonly Problem[]): readonly Problem[];
}

/** An intent from YAML or JSON text, or from a JSON document, in normal form (S36). `file` names it in problems. */
export function parseIntent(
  input: string | Readonly<Record<string, JsonValue>>,
  file: string,
): Outcome<Intent> {
  const read = readIntent(input, file);
  return read.ok ? ok(read.value.intent) : read;
}

/** As {@link parseIntent}, with the text. */
export function readIntent(
  input: string | Readonly<Record<string, JsonValue>>,
  file: string,
): Outcome<IntentSource> {
  const parsed = parseYaml(typeof input === 'string' ? input : JSON.stringify(input, null, 2), file);
  const [source, second] = parsed.documents;
  if (source === undefined) return refused(...parsed.problems);
  const checked = judgeDocument(source);
  const problems = [...parsed.problems, ...checked.problems, ...checkDocumentRules(checked)];
  if (checked.kind !== 'intent' && !source.broken && checked.kind !== 'unknown')
    problems.unshift({
      code: 'unknown_document',
      text: words('doc.not_an_intent', { kind: checked.kind }),
      place: source.place([]),
      expected: 'an intent',
    });
  if (second !== undefined)
    problems.push({
      code: 'unknown_document',
      text: words('doc.more_than_one_document'),
      place: second.place([]),
      expected: 'one intent',
    });
  if (problems.length > 0 || checked.document?.kind !== 'intent') return refused(...problems);
  const intent = toModel(checked.document.normal.intent);
  return ok({ intent, locate: (found) => found.map((problem) => locate(problem, source)) });
}

function toModel(normal: NormalIntent): Intent {
  return {
    action: normal.action,
    ...(normal.target_resource !== undefined && { targetResource: normal.target_resource }),
    ...(normal.target_resource_type !== undefined && { targetResourceType: normal.target_resource_type }),
    desiredResult: normal.desired_result ?? {},
    constraints: normal.constraints ?? {},
    hosts: normal.hosts ?? null,
    ...(normal.approval !== undefined && { approval: normal.approval }),
  };
}

function locate(problem: Problem, source: SourceDocument): Problem {
  if (problem.place !== undefined) return problem;
  const path = parameterPath(problem);
  const at = path === null ? ['intent'] : rawPath('intent', source.value, path);
  if (path === null) return { ...problem, place: source.keyPlace(at) };
  const stands = source.depthOf(at) === at.length;
  const isKey = problem.code === 'unknown_parameter' || !stands;
  const scalar = stands ? source.scalar(at) : null;
  const changed =
    scalar?.plain === true &&
    typeof valueAt(source.value, at) !== 'string' &&
    problem.code === 'invalid_parameter';
  return {
    ...problem,
    place: isKey ? source.keyPlace(at) : source.place(at),
    // Unquoted 0192117 or 3.10 are numbers to YAML; the planner only sees what is left of them.
    ...(changed &&
      /string|text/.test(problem.expected ?? '') && {
        expected: `${problem.expected}; quote it: "${scalar.source}"`,
      }),
  };
}

/** The parameter that a problem is about, as a path of the normal form; null when it is about the intent as a whole. */
function parameterPath(problem: Problem): Path | null {
  const path = problem.text.args.path;
  const known = PLACES[problem.text.code];
  if (known !== undefined) return ['intent', ...known(problem.text.args)];
  const host = problem.code === 'unknown_host' ? problem.text.args.host : undefined;
  if (typeof path === 'string' && path !== '' && !path.includes(': '))
    return ['intent', 'desired_result', ...path.split(/[.[\]]+/).filter((step) => step !== '')];
  return host === undefined ? null : ['intent', 'hosts'];
}

type Args = Problem['text']['args'];

/** What the planner refuses that is no parameter, by the code of its words: where in the intent the value stands. */
const PLACES: Readonly<Record<string, (args: Args) => Path>> = {
  'plan.unknown_action': () => ['action'],
  'plan.several_scenarios': () => ['action'],
  'plan.unknown_type': () => ['target_resource_type'],
  'plan.unknown_prefix': () => ['target_resource'],
  'plan.wrong_prefix': () => ['target_resource'],
  'plan.two_names': () => ['target_resource'],
  'plan.unknown_scenario_choice': () => ['constraints', 'scenario'],
  'plan.unknown_environment': () => ['constraints', 'environment'],
  'plan.resource_elsewhere': () => ['constraints', 'environment'],
  'plan.environment_not_permitted': () => ['constraints', 'environment'],
  'plan.hosts_in_several_environments': () => ['hosts'],
  'plan.host_elsewhere': () => ['hosts'],
  'plan.takes_no_hosts': () => ['hosts'],
  'plan.hosts_need_sets': () => ['hosts'],
  'plan.unknown_host_set': setOf,
  'plan.host_twice': setOf,
  'plan.wrong_host_count': setOf,
  'plan.choose_hosts': setOf,
  'plan.too_few_hosts': setOf,
};

function setOf({ set }: Args): Path {
  return set === undefined ? ['hosts'] : ['hosts', String(set)];
}

function valueAt(value: JsonValue, path: Path): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const step of path) {
    if (current === null || typeof current !== 'object') return undefined;
    current = Array.isArray(current) ? current[Number(step)] : current[String(step)];
  }
  return current;
}
