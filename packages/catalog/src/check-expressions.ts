import { CHECK_SCOPE, type ExpressionScope, PLAN_SCOPE } from '@capstan/model';
import { analyseExpression } from './expressions.js';
import type {
  NormalCheck,
  NormalDocument,
  NormalJob,
  NormalParameters,
  NormalScenario,
} from './normal-documents.js';
import type { ProblemList } from './problem-list.js';
import type { Path } from './source-document.js';

/** Where candidates of a requirement are judged: their attributes stand beside the plan's own variables. */
const WHERE_SCOPE: ExpressionScope = {
  variables: { ...PLAN_SCOPE.variables, attributes: 'dyn', candidate: 'dyn' },
};
const WHEN_SCOPE: ExpressionScope = { variables: { ...PLAN_SCOPE.variables, facts: 'dyn' } };
const HTTP_SCOPE: ExpressionScope = {
  variables: { ...CHECK_SCOPE.variables, status: 'int', body: 'string' },
};

/** Every expression of a document, against the variables that it will find at its place and the type that is wanted. */
export function checkExpressions(document: NormalDocument, problems: ProblemList): void {
  const check = new ExpressionChecker(problems);
  if (document.kind === 'job') checkJob(document.normal.job, check);
  if (document.kind === 'check') checkCheck(document.normal.check, check);
  if (document.kind === 'scenario') checkScenario(document.normal.scenario, check);
}

function checkJob(job: NormalJob, check: ExpressionChecker): void {
  check.parameters(job.with, ['job', 'with']);
  check.one(job.when, ['job', 'when'], WHEN_SCOPE, 'bool');
}

function checkCheck(check: NormalCheck, expressions: ExpressionChecker): void {
  const scope = check.http === undefined && check.tcp === undefined ? CHECK_SCOPE : HTTP_SCOPE;
  expressions.parameters(check.params, ['check', 'params']);
  expressions.one(check.expect, ['check', 'expect'], scope, 'bool');
  expressions.all(check.observes, ['check', 'observes'], scope);
}

function checkScenario(scenario: NormalScenario, check: ExpressionChecker): void {
  for (const [name, set] of Object.entries(scenario.host_sets ?? {})) {
    const base: Path = ['scenario', 'host_sets', name];
    check.one(set.count, [...base, 'count'], PLAN_SCOPE, 'int');
    check.one(set.hosts, [...base, 'hosts'], PLAN_SCOPE, 'list');
    check.one(set.where, [...base, 'where'], WHEN_SCOPE, 'bool');
  }
  for (const [index, requirement] of (scenario.requires ?? []).entries()) {
    const base: Path = ['scenario', 'requires', index];
    check.one(requirement.where, [...base, 'where'], WHERE_SCOPE, 'bool');
    check.all(requirement.claim_params, [...base, 'claim_params'], PLAN_SCOPE);
  }
  check.all(scenario.exports?.attributes, ['scenario', 'exports', 'attributes'], PLAN_SCOPE);
}

class ExpressionChecker {
  constructor(private readonly problems: ProblemList) {}

  parameters(parameters: NormalParameters | undefined, base: Path): void {
    for (const [name, source] of Object.entries(parameters ?? {}))
      if (typeof source === 'string') this.one(source, [...base, name], PLAN_SCOPE);
  }

  all(map: Readonly<Record<string, string>> | undefined, base: Path, scope: ExpressionScope): void {
    for (const [name, source] of Object.entries(map ?? {})) this.one(source, [...base, name], scope);
  }

  one(
    source: string | undefined,
    path: Path,
    scope: ExpressionScope,
    wanted?: 'bool' | 'int' | 'list',
  ): void {
    if (source === undefined) return;
    const result = analyseExpression(source, scope);
    const variables = Object.keys(scope.variables).join(', ');
    if (!result.ok) {
      // `mode: primary` reads like a text and is a variable: the most frequent slip.
      const text = /^[\w-]+$/.test(source) ? `; a text is written '"${source}"'` : '';
      const expected = `a CEL expression over ${variables}${text}`;
      this.problems.add(
        'invalid_expression',
        'doc.invalid_expression',
        { source: shown(source), detail: result.error },
        path,
        expected,
      );
    } else if (wanted !== undefined && result.type !== 'dyn' && !result.type.startsWith(wanted)) {
      const detail = `it gives ${result.type}`;
      this.problems.add(
        'invalid_expression',
        'doc.invalid_expression',
        { source: shown(source), detail },
        path,
        `an expression that gives ${wanted}`,
      );
    }
  }
}

function shown(source: string): string {
  return source.length > 80 ? `${source.slice(0, 79)}…` : source;
}
