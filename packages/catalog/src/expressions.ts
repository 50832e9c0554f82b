import type { ExpressionResult, ExpressionScope, Expressions, JsonValue } from '@capstan/model';
import {
  type ASTNode,
  TypeError as CelTypeError,
  Environment,
  EvaluationError,
  ParseError,
  type ParseResult,
} from '@marcbachmann/cel-js';
import { countSteps, LOOPS, MAX_STEPS, MAX_TEXT } from './expression-cost.js';
import { fromCel, MAX_ITEMS, type Profile, toCel } from './expression-values.js';

/** Limits that are counted when an expression is loaded. */
export const EXPRESSION_LIMITS = {
  characters: 4_096,
  nodes: 500,
  depth: 64,
  items: MAX_ITEMS,
  nesting: 2,
} as const;

/**
 * Functions that an expression may call. `matches` is a backtracking regular expression: `(a+)+$` blocks the thread
 * for 46 s. `cel.bind` doubles a value with each use. Bytes, and lists born of bytes, have no use here.
 */
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...LOOPS,
  ...['has', 'size', 'type', 'dyn', 'int', 'double', 'string', 'bool', 'duration', 'timestamp'],
  ...['contains', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf', 'substring', 'split', 'join', 'trim'],
  ...['lowerAscii', 'upperAscii', 'getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'],
]);

/** Words that CEL itself defines: `type(x) == string`. */
const TYPE_NAMES: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'list',
  'map',
  'null_type',
]);

const MAX_CACHED = 1_000;

/** What an expression is known to give, or why it is refused. */
export type Analysis =
  | { readonly ok: true; readonly type: string }
  | { readonly ok: false; readonly error: string };

/** CEL with counted limits. One instance is one cache of parsed expressions. */
export function createExpressions(): Expressions {
  const parsed = new Map<string, Parsed>();
  const parse = (source: string): Parsed => {
    const known = parsed.get(source);
    if (known !== undefined) return known;
    const result = parseExpression(lenient, source);
    if (parsed.size >= MAX_CACHED) parsed.clear();
    parsed.set(source, result);
    return result;
  };
  return {
    check(source, scope) {
      const analysis = analyseExpression(source, scope);
      return analysis.ok ? null : analysis.error;
    },
    evaluate(source, values) {
      const expression = parse(source);
      return expression.ok ? evaluate(expression, values) : expression;
    },
  };
}

type Parsed =
  | { readonly ok: true; readonly run: ParseResult; readonly variables: readonly string[] }
  | { readonly ok: false; readonly error: string };

const OPTIONS = {
  homogeneousAggregateLiterals: false,
  limits: {
    maxAstNodes: EXPRESSION_LIMITS.nodes,
    maxDepth: EXPRESSION_LIMITS.depth,
    maxListElements: EXPRESSION_LIMITS.items,
    maxMapEntries: EXPRESSION_LIMITS.items,
    maxCallArguments: 8,
  },
};
/** For evaluation: what the caller gives is what there is. */
const lenient = new Environment({ ...OPTIONS, unlistedVariablesAreDyn: true });
const scopes = new WeakMap<ExpressionScope, Environment>();

/** The type that an expression has in a scope, without running it. */
export function analyseExpression(source: string, scope: ExpressionScope): Analysis {
  let environment = scopes.get(scope);
  if (environment === undefined) {
    environment = new Environment(OPTIONS);
    for (const [name, type] of Object.entries(scope.variables)) environment.registerVariable(name, type);
    scopes.set(scope, environment);
  }
  const expression = parseExpression(environment, source);
  if (!expression.ok) return expression;
  const unknown = expression.variables.find((name) => !Object.hasOwn(scope.variables, name));
  if (unknown !== undefined) return refuse(`unknown variable ${unknown}`);
  const result = expression.run.check();
  return result.valid ? { ok: true, type: result.type ?? 'dyn' } : refuse(explain(result.error));
}

function parseExpression(environment: Environment, source: string): Parsed {
  if (source.length > EXPRESSION_LIMITS.characters)
    return refuse(`longer than ${EXPRESSION_LIMITS.characters} characters`);
  try {
    const run = environment.parse(source);
    const variables = new Set<string>();
    const refusal = inspect(run.ast, { nesting: 0, bound: [] }, variables);
    return refusal === null ? { ok: true, run, variables: [...variables] } : refuse(refusal);
  } catch (error) {
    if (isCelError(error)) return refuse(explain(error));
    throw error;
  }
}

interface Around {
  readonly nesting: number;
  /** Variables of the loops around. */
  readonly bound: readonly string[];
}

/** Why this part may not run, or null; collects the free variables. */
function inspect(node: ASTNode, around: Around, variables: Set<string>): string | null {
  if (node.op === 'id') {
    if (!around.bound.includes(node.args) && !TYPE_NAMES.has(node.args)) variables.add(node.args);
    return null;
  }
  if (node.op === 'value') return node.args instanceof Uint8Array ? 'bytes are not available' : null;
  if (node.op !== 'call' && node.op !== 'rcall') return firstRefusal(children(node), around, variables);
  const name = node.args[0];
  if (!FUNCTIONS.has(name)) return `the function ${name} is not available`;
  if (node.op === 'call') return firstRefusal(node.args[1], around, variables);
  const [, receiver, args] = node.args;
  if (!LOOPS.has(name)) return firstRefusal([receiver, ...args], around, variables);
  const nesting = around.nesting + 1;
  if (nesting > EXPRESSION_LIMITS.nesting) return `loops nest deeper than ${EXPRESSION_LIMITS.nesting}`;
  const [variable, ...bodies] = args;
  const bound = variable?.op === 'id' ? [...around.bound, variable.args] : around.bound;
  return inspect(receiver, around, variables) ?? firstRefusal(bodies, { nesting, bound }, variables);
}

function firstRefusal(nodes: readonly ASTNode[], around: Around, variables: Set<string>): string | null {
  for (const node of nodes) {
    const refusal = inspect(node, around, variables);
    if (refusal !== null) return refusal;
  }
  return null;
}

function children(node: ASTNode): readonly ASTNode[] {
  const args: readonly unknown[] = Array.isArray(node.args) ? node.args.flat(1) : [node.args];
  return args.filter((part): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part);
}

function evaluate(
  expression: Parsed & { ok: true },
  values: Readonly<Record<string, JsonValue>>,
): ExpressionResult {
  const profile: Profile = { levels: [] };
  // Without a prototype, or `constructor` would be a variable.
  const context: Record<string, unknown> = Object.create(null);
  for (const name of expression.variables) {
    if (!Object.hasOwn(values, name)) continue;
    const read = toCel(values[name] ?? null, profile);
    if (!read.ok) return refuse(`${name}: ${read.error}`);
    context[name] = read.value;
  }
  const { steps, text } = countSteps(expression.run.ast, profile);
  if (steps > MAX_STEPS) return refuse(`may take ${Math.round(steps)} steps; at most ${MAX_STEPS}`);
  if (text > MAX_TEXT)
    return refuse(`may build a text of ${Math.round(text)} characters; at most ${MAX_TEXT}`);
  try {
    return fromCel(expression.run(context));
  } catch (error) {
    if (isCelError(error)) return refuse(explain(error));
    throw error;
  }
}

function refuse(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}

function isCelError(error: unknown): error is ParseError | EvaluationError {
  return error instanceof ParseError || error instanceof EvaluationError || error instanceof CelTypeError;
}

function explain(error: ParseError | EvaluationError | CelTypeError | undefined): string {
  if (error === undefined) return 'not an expression';
  const at = error.range?.start;
  return at === undefined ? error.summary : `${error.summary} at character ${at + 1}`;
}
