import type { JobPlace, On } from '@capstan/model';

/** What `target:` and `from:` are made of: a word, `binding:NAME`, a sum of sets, or a function of such. */
export type HostExpression =
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'binding'; readonly name: string; readonly claim: boolean }
  | { readonly kind: 'sum'; readonly parts: readonly HostExpression[] }
  | { readonly kind: 'call'; readonly name: string; readonly argument: HostExpression };

/** Functions of host expressions. */
export const HOST_FUNCTIONS = ['each', 'first', 'any', 'all', 'healthy', 'members', 'client_of'] as const;
const MAX_DEPTH = 8;

/** Reads a host expression; null when it is none. White space means nothing. */
export function parseHostExpression(source: string): HostExpression | null {
  return parse(source.replace(/\s+/g, ''), 0);
}

function parse(source: string, depth: number): HostExpression | null {
  if (depth > MAX_DEPTH) return null;
  const call = /^([a-z_]+)\((.+)\)$/.exec(source);
  if (call?.[1] !== undefined && call[2] !== undefined && balanced(call[2])) {
    const argument = parse(call[2], depth + 1);
    return argument === null ? null : { kind: 'call', name: call[1], argument };
  }
  if (source.includes('+')) {
    const parts = source.split('+').map((part) => parse(part, depth + 1));
    return parts.includes(null) ? null : { kind: 'sum', parts: parts as HostExpression[] };
  }
  const binding = /^binding:([A-Za-z_]\w*)(\.claim)?$/.exec(source);
  if (binding?.[1] !== undefined)
    return { kind: 'binding', name: binding[1], claim: binding[2] !== undefined };
  return /^[A-Za-z_]\w*$/.test(source) ? { kind: 'word', word: source } : null;
}

/** Whether every bracket of the argument closes inside it, so that `a)+b(c` is not taken for one. */
function balanced(source: string): boolean {
  let open = 0;
  for (const letter of source) {
    if (letter === '(') open++;
    if (letter === ')' && --open < 0) return false;
  }
  return open === 0;
}

/** The one way a host expression is written. */
export function formatHostExpression(expression: HostExpression): string {
  switch (expression.kind) {
    case 'word':
      return expression.word;
    case 'binding':
      return `binding:${expression.name}${expression.claim ? '.claim' : ''}`;
    case 'sum':
      return expression.parts.map(formatHostExpression).join('+');
    case 'call':
      return `${expression.name}(${formatHostExpression(expression.argument)})`;
  }
}

/** Functions that are called and do not exist. */
export function unknownFunctions(expression: HostExpression): readonly string[] {
  if (expression.kind === 'sum') return expression.parts.flatMap(unknownFunctions);
  if (expression.kind !== 'call') return [];
  const inner = unknownFunctions(expression.argument);
  return HOST_FUNCTIONS.some((name) => name === expression.name) ? inner : [expression.name, ...inner];
}

/** Host sets that are named. `members(SET)` names a set of the resource, `client_of(target)` none. */
export function setsOf(expression: HostExpression): readonly string[] {
  switch (expression.kind) {
    case 'word':
      return ['host', 'target', 'capstan', 'members'].includes(expression.word) ? [] : [expression.word];
    case 'binding':
      return [];
    case 'sum':
      return expression.parts.flatMap(setsOf);
    case 'call':
      return expression.name === 'client_of' || expression.name === 'members'
        ? []
        : setsOf(expression.argument);
  }
}

/** Where a job runs. Whatever the product does not place yet is kept as written. */
export function jobPlace(source: string): JobPlace {
  const expression = parseHostExpression(source);
  if (expression?.kind === 'word' && expression.word === 'host') return { kind: 'host' };
  if (expression?.kind === 'call') {
    const { name, argument } = expression;
    if (name === 'each' && argument.kind === 'word') return { kind: 'each', set: argument.word };
    if (name === 'first' && argument.kind === 'word')
      return { kind: 'first', set: argument.word, healthy: false };
    if (
      name === 'first' &&
      argument.kind === 'call' &&
      argument.name === 'healthy' &&
      argument.argument.kind === 'word'
    )
      return { kind: 'first', set: argument.argument.word, healthy: true };
  }
  return { kind: 'other', source };
}

/** Whose capability or artifact, or on which host: null for what {@link On} cannot say. */
export function parseOn(source: string): On | null {
  const expression = parseHostExpression(source);
  if (expression?.kind === 'word')
    return expression.word === 'host' || expression.word === 'target' ? { kind: expression.word } : null;
  if (expression?.kind === 'binding') return expression;
  if (expression?.kind !== 'call' || expression.argument.kind !== 'word') return null;
  const { name, argument } = expression;
  return name === 'all' || name === 'first' || name === 'any' ? { kind: name, set: argument.word } : null;
}
