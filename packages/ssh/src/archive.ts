/** One entry of an archive; paths are relative and were checked by whoever made them. */
export type ArchiveEntry =
  | { readonly kind: 'file'; readonly path: string; readonly bytes: Uint8Array; readonly mode?: number }
  | { readonly kind: 'folder'; readonly path: string; readonly mode?: number }
  | { readonly kind: 'pipe'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly to: string };

/** A tar archive as GNU tar and busybox read it: files, folders, pipes and links of one host folder, in one stream. */
export function archive(entries: readonly ArchiveEntry[]): Buffer[] {
  return [...entries.flatMap(blocksOf), Buffer.alloc(2 * BLOCK)];
}

const BLOCK = 512;
const TYPES = { file: '0', link: '2', folder: '5', pipe: '6' } as const;

function blocksOf(entry: ArchiveEntry): Buffer[] {
  const bytes = entry.kind === 'file' ? entry.bytes : new Uint8Array(0);
  const to = entry.kind === 'link' ? entry.to : '';
  const mode =
    'mode' in entry && entry.mode !== undefined ? entry.mode : entry.kind === 'folder' ? 0o700 : 0o600;
  return [
    ...long(entry.path, 'L'),
    ...long(to, 'K'),
    header(entry.path, TYPES[entry.kind], mode, bytes.length, to),
    ...padded(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  ];
}

/** A name over 100 bytes goes before its entry, as an entry of its own. */
function long(name: string, type: 'K' | 'L'): Buffer[] {
  if (Buffer.byteLength(name) <= 100) return [];
  const bytes = Buffer.from(`${name}\0`);
  return [header('././@LongLink', type, 0o600, bytes.length, ''), ...padded(bytes)];
}

function header(name: string, type: string, mode: number, size: number, to: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(Buffer.from(name).subarray(0, 100).toString('latin1'), 0, 'latin1');
  block.write(octal(mode, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(Buffer.from(to).subarray(0, 100).toString('latin1'), 157, 'latin1');
  block.write('ustar  \0', 257, 'latin1');
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )}\0 `,
    148,
    'latin1',
  );
  return block;
}

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width - 1, '0');
}

function padded(bytes: Buffer): Buffer[] {
  if (bytes.length === 0) return [];
  return [bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}
