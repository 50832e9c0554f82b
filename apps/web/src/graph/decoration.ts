/** What an editor, a diff or a review puts on a node; the run view has none. */
export interface Decoration {
  readonly glyph: '+' | '−' | '~' | '↻';
  readonly dim: boolean;
  readonly badge: string | null;
}

export type Decorations = ReadonlyMap<string, Decoration>;

export const NO_DECORATIONS: Decorations = new Map();
