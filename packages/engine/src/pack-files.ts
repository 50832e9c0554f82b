import type { PackStore } from './ports/stores.js';

/** Bytes kept in memory at most; a pinned file never changes, so what is dropped is only read again. */
const LIMIT = 32 * 1024 * 1024;

/** The same store with its files remembered: a chain of short jobs reads each script once. */
export function rememberPackFiles(packs: PackStore): PackStore {
  const known = new Map<string, Uint8Array>();
  let size = 0;
  return {
    save: (pack, files) => packs.save(pack, files),
    catalog: () => packs.catalog(),
    activate: (digests) => packs.activate(digests),
    async file(digest, path) {
      const key = `${digest}|${path}`;
      const hit = known.get(key);
      if (hit) return hit;
      const bytes = await packs.file(digest, path);
      if (bytes) {
        if (size + bytes.length > LIMIT) {
          known.clear();
          size = 0;
        }
        known.set(key, bytes);
        size += bytes.length;
      }
      return bytes;
    },
  };
}
