import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '@capstan/model';
import { bytesHash, text as words } from '@capstan/model';
import type { SourceText } from './check-documents.js';

/** Limits of one pack's folder. */
const FOLDER_LIMITS = { files: 2_000, bytes: 50 * 1024 * 1024, depth: 16 } as const;

/** Everything in the folder of a pack. */
export interface PackFolder {
  readonly dir: string;
  /** The documents: every YAML or JSON file outside `files/`. */
  readonly documents: readonly SourceText[];
  /** What is sent to hosts: path below the pack, always with `/`, to its bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of every file, by path. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

/** Reads the folder of a pack as data: no link is followed, nothing is executed, no document is passed over. */
export async function readFolder(dir: string): Promise<PackFolder> {
  const reader = new FolderReader(dir);
  await reader.walk('', 0);
  return {
    dir,
    documents: reader.documents,
    files: reader.files,
    hashes: Object.fromEntries([...reader.hashes].sort(([a], [b]) => (a < b ? -1 : 1))),
    problems: reader.problems,
  };
}

class FolderReader {
  readonly documents: SourceText[] = [];
  readonly files = new Map<string, Uint8Array>();
  readonly hashes = new Map<string, string>();
  readonly problems: Problem[] = [];
  private bytes = 0;

  constructor(private readonly dir: string) {}

  async walk(folder: string, depth: number): Promise<void> {
    if (depth > FOLDER_LIMITS.depth)
      return this.refuse(
        folder,
        'document_too_large',
        'doc.folder_too_deep',
        { limit: FOLDER_LIMITS.depth },
        `at most ${FOLDER_LIMITS.depth} folders deep`,
      );
    const entries = await readdir(join(this.dir, folder), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // Editors and version control leave hidden files; below files/ a pack may mean them.
      if (entry.name.startsWith('.') && !path.startsWith('files/')) continue;
      if (entry.isDirectory()) await this.walk(path, depth + 1);
      else if (entry.isFile()) await this.read(path);
      else this.refuse(path, 'invalid_value', 'doc.not_a_file', { path }, 'regular files only');
    }
  }

  private async read(path: string): Promise<void> {
    const { size } = await lstat(join(this.dir, path));
    this.bytes += size;
    if (this.bytes > FOLDER_LIMITS.bytes || this.hashes.size >= FOLDER_LIMITS.files) {
      if (!this.problems.some(({ code }) => code === 'document_too_large'))
        this.refuse(
          path,
          'document_too_large',
          'doc.folder_too_large',
          { files: FOLDER_LIMITS.files, bytes: FOLDER_LIMITS.bytes },
          `at most ${FOLDER_LIMITS.files} files and ${FOLDER_LIMITS.bytes} bytes`,
        );
      return;
    }
    const bytes = new Uint8Array(await readFile(join(this.dir, path)));
    this.hashes.set(path, bytesHash(bytes));
    if (path.startsWith('files/')) this.files.set(path, bytes);
    else if (/\.(ya?ml|json)$/.test(path)) this.document(path, bytes);
  }

  private document(path: string, bytes: Uint8Array): void {
    const text = decodeText(bytes);
    if (text === null)
      this.refuse(path, 'invalid_yaml', 'doc.invalid_yaml', { detail: 'bytes that are no UTF-8' }, 'UTF-8');
    else this.documents.push({ file: join(this.dir, path), text });
  }

  private refuse(
    path: string,
    code: Problem['code'],
    textCode: string,
    args: Record<string, string | number>,
    expected: string,
  ): void {
    this.problems.push({
      code,
      text: words(textCode, args),
      place: { file: join(this.dir, path), line: 1, column: 1 },
      expected,
    });
  }
}

/** The text of UTF-8 bytes; null when they are none. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
