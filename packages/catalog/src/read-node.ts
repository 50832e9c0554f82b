import type { JsonValue, Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { keyText, type Locate, type Path } from './source-document.js';
import { tooDeep, tooLarge, YAML_LIMITS } from './yaml-limits.js';

const MAX_PROBLEMS = 100;

export interface ReadNode {
  readonly value: JsonValue;
  /** True for a document that holds nothing but comments. */
  readonly empty: boolean;
  readonly problems: readonly Problem[];
  readonly unsafeNumbers: readonly { readonly path: Path; readonly problem: Problem }[];
  readonly targets: ReadonlyMap<Alias, Node>;
}

/** The JSON value of a YAML node, and everything about it that JSON, a database or a person could misunderstand. */
export function readNode(root: Node | null, locate: Locate): ReadNode {
  const reader = new NodeReader(locate);
  const value = root === null ? null : reader.read(root, [], 1);
  return {
    value,
    empty: root === null || (isScalar(root) && root.value === null && !root.source),
    problems: reader.problems,
    unsafeNumbers: reader.unsafeNumbers,
    targets: reader.targets,
  };
}

class NodeReader {
  readonly problems: Problem[] = [];
  readonly unsafeNumbers: { path: Path; problem: Problem }[] = [];
  readonly targets = new Map<Alias, Node>();
  private readonly anchors = new Map<string, Node>();
  private aliases = 0;
  private values = 0;
  private stopped = false;

  constructor(private readonly locate: Locate) {}

  read(node: Node, path: Path, depth: number): JsonValue {
    if (this.stopped) return null;
    // Counted through aliases too: nine aliases of nine aliases, nine levels deep, are 387 million values.
    if (++this.values > YAML_LIMITS.values)
      return this.stop(
        tooLarge(this.at(node), 'values', YAML_LIMITS.values, `at most ${YAML_LIMITS.values} values`),
      );
    if (depth > YAML_LIMITS.depth && !isScalar(node)) return this.stop(tooDeep(this.at(node)));
    if (isAlias(node)) return this.readAlias(node, path, depth);
    const anchor = (node as { anchor?: string }).anchor;
    if (anchor !== undefined) this.anchors.set(anchor, node);
    if (isMap(node)) return this.readMap(node, path, depth);
    if (isSeq(node))
      return node.items.map((item, index) => this.read(item as Node, [...path, index], depth + 1));
    return isScalar(node) ? this.readScalar(node, path) : null;
  }

  private readAlias(alias: Alias, path: Path, depth: number): JsonValue {
    if (++this.aliases > YAML_LIMITS.aliases)
      return this.stop(
        tooLarge(this.at(alias), 'aliases', YAML_LIMITS.aliases, `at most ${YAML_LIMITS.aliases} aliases`),
      );
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      this.add({
        code: 'invalid_yaml',
        text: words('doc.invalid_yaml', { detail: `the alias *${alias.source} names no anchor` }),
        place: this.at(alias),
        expected: 'an anchor before its alias',
      });
      return null;
    }
    this.targets.set(alias, target);
    return this.read(target, path, depth + 1);
  }

  private readMap(map: YAMLMap, path: Path, depth: number): JsonValue {
    const value: Record<string, JsonValue> = {};
    const seen = new Map<string, Pair>();
    for (const pair of map.items) {
      const key = this.readKey(pair);
      if (key === null) continue;
      const first = seen.get(key);
      if (first !== undefined) {
        this.add({
          code: 'duplicate_key',
          text: words('doc.duplicate_key', { key }),
          place: this.at(pair.key as Node),
          alsoAt: [this.at(first.key as Node)],
          expected: 'each key once',
        });
        continue;
      }
      seen.set(key, pair);
      // A key without a colon in a flow map has no value node at all.
      value[key] = pair.value === null ? null : this.read(pair.value as Node, [...path, key], depth + 1);
    }
    return value;
  }

  private readKey(pair: Pair): string | null {
    const node = pair.key as Node | null;
    const anchor = (node as { anchor?: string } | null)?.anchor;
    if (node !== null && anchor !== undefined) this.anchors.set(anchor, node);
    const key = keyText(node);
    if (key === null) return this.refuseKey(node, 'a key that is not a plain word');
    if (key === '<<' && isScalar(node) && node.type === 'PLAIN') return this.refuseKey(node, 'a merge key');
    // Assigning it would change what the object inherits instead of adding a key.
    if (key === '__proto__') return this.refuseKey(node, 'the key __proto__');
    if (node !== null) this.checkText(key, node);
    return key;
  }

  private refuseKey(node: Node | null, detail: string): null {
    this.add({
      code: 'invalid_yaml',
      text: words('doc.invalid_yaml', { detail }),
      place: this.at(node),
      expected: 'a plain word as key',
    });
    return null;
  }

  private readScalar(node: Scalar, path: Path): JsonValue {
    const { value } = node;
    if (typeof value === 'string') {
      this.checkText(value, node);
      return value;
    }
    if (typeof value !== 'number') return typeof value === 'boolean' ? value : null;
    if (!Number.isFinite(value)) {
      this.add({
        code: 'invalid_value',
        text: words('doc.not_finite', { value: node.source ?? '' }),
        place: this.at(node),
        expected: 'a finite number',
      });
      return null;
    }
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.unsafeNumbers.push({
        path,
        problem: {
          code: 'unsafe_number',
          text: words('doc.unsafe_number', { value: node.source ?? String(value) }),
          place: this.at(node),
          expected: `a number up to ${Number.MAX_SAFE_INTEGER}, or quotes around it to make it a text`,
        },
      });
    }
    return value;
  }

  /** Neither an environment nor PostgreSQL can hold a NUL, and no encoding can hold half a character. */
  private checkText(value: string, node: Node): void {
    if (value.includes('\0'))
      this.add({
        code: 'nul_in_parameter',
        text: words('doc.nul_in_parameter'),
        place: this.at(node),
        expected: 'a text without NUL',
      });
    if (/\p{Surrogate}/u.test(value))
      this.add({
        code: 'invalid_value',
        text: words('doc.lone_surrogate'),
        place: this.at(node),
        expected: 'whole Unicode characters',
      });
  }

  private at(node: Node | null) {
    return this.locate(node?.range?.[0] ?? 0);
  }

  private add(problem: Problem): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }

  private stop(problem: Problem): null {
    this.stopped = true;
    this.add(problem);
    return null;
  }
}
