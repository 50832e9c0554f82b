import type { JsonValue } from './text.js';

/** The closed set of shapes an expression is checked against: variable name → declared type. */
export interface ExpressionScope {
  readonly variables: Readonly<Record<string, 'dyn' | 'string' | 'int' | 'double' | 'bool' | 'map' | 'list'>>;
}

export type ExpressionResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly error: string };

/**
 * CEL behind a synchronous port. Limits are counted and checked before evaluation (AST nodes ≤ 500, lists ≤ 1,000,
 * comprehensions nested ≤ 2, `matches` refused), so the same expression over the same values always ends the same way.
 */
export interface Expressions {
  /** Refuses what cannot be parsed, typed or afforded; `null` when it is fine. */
  check(source: string, scope: ExpressionScope): string | null;
  evaluate(source: string, values: Readonly<Record<string, JsonValue>>): ExpressionResult;
}

/** What `with:`, `where:`, `count:` and `hosts:` may read (S16). */
export const PLAN_SCOPE: ExpressionScope = {
  variables: {
    intent: 'dyn',
    params: 'dyn',
    target: 'dyn',
    host: 'dyn',
    sets: 'dyn',
    bindings: 'dyn',
    env: 'dyn',
  },
};

/** What `expect:` and `observes:` may read. */
export const CHECK_SCOPE: ExpressionScope = {
  variables: { exit_code: 'int', stdout: 'string', stderr: 'string', json: 'dyn' },
};
