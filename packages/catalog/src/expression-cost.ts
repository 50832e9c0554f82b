import type { ASTNode } from '@marcbachmann/cel-js';
import type { Profile } from './expression-values.js';

/**
 * Steps that one evaluation may take at most; under a second. Two nested loops over lists of 1,000 fit, three could
 * not even be written. The library has no limit of its own: `all` nested thrice over 300 items runs 21 s.
 */
export const MAX_STEPS = 10_000_000;
/** Characters of the longest text that an evaluation may build. */
export const MAX_TEXT = 4 * 1024 * 1024;

/** Loops over a list. */
export const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** How large the value of a part of an expression can be: items of a list or map, characters of a text. */
interface Bound {
  readonly size: number;
  readonly text: number;
  /** Depth of the given values below which this value was taken; null for a value that the expression builds. */
  readonly depth: number | null;
  readonly item: Bound | null;
}

const SCALAR: Bound = { size: 0, text: 0, depth: null, item: null };

/**
 * Counts, before anything runs, the steps that evaluation can take with these values at most. The same expression over
 * the same values always gives the same count; no clock is read.
 */
export function countSteps(
  ast: ASTNode,
  profile: Profile,
): { readonly steps: number; readonly text: number } {
  const counter = new StepCounter(profile);
  counter.visit(ast, new Map());
  return { steps: counter.steps, text: counter.longest };
}

class StepCounter {
  steps = 0;
  longest = 0;
  /** How often the part that is being visited runs. */
  private runs = 1;

  constructor(private readonly profile: Profile) {}

  visit(node: ASTNode, scope: ReadonlyMap<string, Bound>): Bound {
    this.charge(1);
    const bound = this.bound(node, scope);
    this.longest = Math.max(this.longest, bound.text);
    return bound;
  }

  private bound(node: ASTNode, scope: ReadonlyMap<string, Bound>): Bound {
    switch (node.op) {
      case 'value':
        return typeof node.args === 'string' ? { ...SCALAR, text: node.args.length } : SCALAR;
      case 'id':
        return scope.get(node.args) ?? this.given(0);
      case '.':
      case '.?':
        return this.inside(this.visit(node.args[0], scope));
      case '[]':
      case '[?]': {
        const whole = this.visit(node.args[0], scope);
        this.visit(node.args[1], scope);
        return this.inside(whole);
      }
      case 'list':
        return this.collect(node.args, scope);
      case 'map':
        return this.collect(node.args.flat(), scope);
      case '?:':
        this.visit(node.args[0], scope);
        return widest(this.visit(node.args[1], scope), this.visit(node.args[2], scope));
      case '!_':
      case '-_':
        this.visit(node.args, scope);
        return SCALAR;
      case '+':
        return this.add(this.visit(node.args[0], scope), this.visit(node.args[1], scope));
      case 'call':
        return this.call(node.args[0], null, node.args[1], scope);
      case 'rcall':
        return LOOPS.has(node.args[0])
          ? this.loop(node.args[0], node.args[1], node.args[2], scope)
          : this.call(node.args[0], node.args[1], node.args[2], scope);
      default: {
        const sides = node.args.map((side) => this.visit(side, scope));
        const compared = Math.min(...sides.map((side) => this.weight(side)));
        // `x in list` compares x with each item.
        if (node.op === 'in')
          this.charge((sides[1]?.size ?? 0) * (1 + compared) + (sides[1]?.text ?? 0) / 64);
        else if (node.op !== '&&' && node.op !== '||') this.charge(compared);
        return SCALAR;
      }
    }
  }

  private loop(
    name: string,
    list: ASTNode,
    args: readonly ASTNode[],
    scope: ReadonlyMap<string, Bound>,
  ): Bound {
    const range = this.visit(list, scope);
    const item = this.inside(range);
    const [variable, ...bodies] = args;
    const inner = new Map(scope).set(variable?.op === 'id' ? variable.args : '', item);
    const before = this.runs;
    this.runs *= Math.max(1, range.size);
    const results = bodies.map((body) => this.visit(body, inner));
    this.runs = before;
    if (name === 'map') return { size: range.size, text: 0, depth: null, item: results.at(-1) ?? SCALAR };
    return name === 'filter' ? range : SCALAR;
  }

  private call(
    name: string,
    receiver: ASTNode | null,
    args: readonly ASTNode[],
    scope: ReadonlyMap<string, Bound>,
  ): Bound {
    const [subject = SCALAR, ...others] = (receiver === null ? args : [receiver, ...args]).map((part) =>
      this.visit(part, scope),
    );
    const pattern = others[0]?.text ?? 0;
    // Searching a text for a text is their product in the worst case.
    const isSearch = ['contains', 'indexOf', 'lastIndexOf', 'split'].includes(name);
    this.charge((subject.text * (isSearch ? Math.max(1, pattern) : 1)) / 64);
    // Reading a clock in a time zone goes through the calendar of the system, 26 microseconds a time.
    if (name.startsWith('get') && others.length > 0) this.charge(100);
    switch (name) {
      case 'split':
        return { size: subject.text + 1, text: 0, depth: null, item: { ...SCALAR, text: subject.text } };
      case 'join': {
        const text = subject.size * (this.inside(subject).text + pattern);
        this.charge(text / 64);
        return { ...SCALAR, text };
      }
      case 'dyn':
        return subject;
      case 'string':
      case 'lowerAscii':
      case 'upperAscii':
      case 'trim':
      case 'substring':
        return { ...SCALAR, text: Math.max(32, subject.text) };
      default:
        return SCALAR;
    }
  }

  private collect(parts: readonly ASTNode[], scope: ReadonlyMap<string, Bound>): Bound {
    const bounds = parts.map((part) => this.visit(part, scope));
    return { size: bounds.length, text: 0, depth: null, item: bounds.reduce(widest, SCALAR) };
  }

  private add(left: Bound, right: Bound): Bound {
    const size = left.size + right.size;
    const text = left.text + right.text;
    this.charge(size + text / 64);
    return { size, text, depth: null, item: widest(this.inside(left), this.inside(right)) };
  }

  private inside(whole: Bound): Bound {
    if (whole.item !== null) return whole.item;
    return whole.depth === null ? SCALAR : this.given(whole.depth + 1);
  }

  private given(depth: number): Bound {
    const level = this.profile.levels[depth];
    return level === undefined ? SCALAR : { size: level.size, text: level.text, depth, item: null };
  }

  /** Steps of comparing a value with another one. */
  private weight(value: Bound): number {
    if (value.depth !== null) return this.profile.levels[value.depth]?.values ?? 0;
    const inner = value.item === null || value.size === 0 ? 0 : value.size * (1 + this.weight(value.item));
    return inner + value.text / 64;
  }

  private charge(steps: number): void {
    this.steps += this.runs * steps;
  }
}

function widest(left: Bound, right: Bound): Bound {
  if (left === right) return left;
  return {
    size: Math.max(left.size, right.size),
    text: Math.max(left.text, right.text),
    // The shallower level holds at least as many values as the deeper one.
    depth:
      left.depth === null || right.depth === null
        ? (left.depth ?? right.depth)
        : Math.min(left.depth, right.depth),
    item:
      left.item === null || right.item === null ? (left.item ?? right.item) : widest(left.item, right.item),
  };
}
