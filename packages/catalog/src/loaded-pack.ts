import type { Catalog, Pack, Problem, Text } from '@capstan/model';

/** A pack with the folder that it was read from and the bytes of its `files/`. */
export interface LoadedPack {
  readonly pack: Pack;
  readonly dir: string;
  /** Path as in {@link Pack.files}, e.g. `files/install.sh`, to its bytes; their hashes are the pack's. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
  /** What is accepted and worth knowing: parts that are not executed yet, rights that the pack uses and does not list. */
  readonly notes: readonly Text[];
}

/** All packs of some folders. A pack with a problem is not in the catalog, and its problems say why. */
export interface LoadedCatalog {
  readonly catalog: Catalog;
  readonly packs: readonly LoadedPack[];
  readonly problems: readonly Problem[];
}
