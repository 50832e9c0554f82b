import type { JsonValue, Place, Problem } from '@capstan/model';
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';

/** Way to a value inside a document. List positions may be numbers or digits. */
export type Path = readonly (string | number)[];

/** Turns an offset in the text into a place. */
export type Locate = (offset: number) => Place;

/** One document of a file: its value, and where each part of it stands. */
export class SourceDocument {
  constructor(
    readonly file: string,
    readonly value: JsonValue,
    /** True when it is no YAML: `value` is then only what could be guessed. */
    readonly broken: boolean,
    /** What is wrong whatever the document is. */
    readonly problems: readonly Problem[],
    /** Integers that JSON numbers cannot hold. Apart, because where a text is expected the cure is to quote them. */
    readonly unsafeNumbers: readonly { readonly path: Path; readonly problem: Problem }[],
    private readonly root: Node | null,
    private readonly targets: ReadonlyMap<Alias, Node>,
    private readonly locate: Locate,
  ) {}

  /** Place of the value at `path`, or of its nearest ancestor that stands in the text. */
  place(path: Path): Place {
    const { node, pair } = this.walk(path);
    return this.locate(node?.range?.[0] ?? rangeStart(pair?.key) ?? this.root?.range?.[0] ?? 0);
  }

  /** Place of the key that names the value at `path`; for a list item, of the item. */
  keyPlace(path: Path): Place {
    const { node, pair } = this.walk(path);
    return this.locate(rangeStart(pair?.key) ?? node?.range?.[0] ?? this.root?.range?.[0] ?? 0);
  }

  /** How many steps of `path` stand in the text. */
  depthOf(path: Path): number {
    return this.walk(path).depth;
  }

  /** The characters of a scalar as written, and whether it stands there without quotes. */
  scalar(path: Path): { readonly source: string; readonly plain: boolean } | null {
    const { node, depth } = this.walk(path);
    const target = this.follow(node);
    if (depth < path.length || !isScalar(target)) return null;
    return { source: target.source ?? String(target.value), plain: target.type === 'PLAIN' };
  }

  private walk(path: Path): { node: Node | null; pair: Pair | null; depth: number } {
    let node: Node | null = this.root;
    let pair: Pair | null = null;
    let depth = 0;
    for (const step of path) {
      const target: Node | null = this.follow(node);
      if (isMap(target)) {
        const found: Pair | undefined = target.items.find((item) => keyText(item.key) === String(step));
        if (found === undefined) break;
        pair = found;
        node = (found.value ?? null) as Node | null;
      } else if (isSeq(target)) {
        const found = target.items[Number(step)];
        if (found === undefined) break;
        pair = null;
        node = found as Node;
      } else break;
      depth++;
    }
    return { node, pair, depth };
  }

  private follow(node: Node | null): Node | null {
    return isAlias(node) ? (this.targets.get(node) ?? null) : node;
  }
}

/** The name that a map key stands for: as written, so that `1:` is the key "1"; null when it is not a plain word. */
export function keyText(key: unknown): string | null {
  if (!isScalar(key)) return null;
  if (typeof key.value === 'string') return key.value;
  return key.source === undefined || key.source === '' ? null : key.source;
}

function rangeStart(key: unknown): number | undefined {
  return (key as Node | null | undefined)?.range?.[0];
}
