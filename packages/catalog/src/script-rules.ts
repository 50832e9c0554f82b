import { join } from 'node:path';
import type { Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import { documentsOf, type PackDraft } from './pack-draft.js';

const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/**
 * Scripts with Windows line ends: the kernel would look for an interpreter whose name ends in CR, and say "No such
 * file". Whatever a job or check runs is a script, and whatever begins with `#!`.
 */
export function checkScripts(draft: PackDraft): readonly Problem[] {
  const run = new Set([
    ...documentsOf(draft.documents, 'job').map(({ normal }) => normal.job.run?.script),
    ...documentsOf(draft.documents, 'check').map(({ normal }) => normal.check.script),
  ]);
  return [...draft.folder.files].flatMap(([path, bytes]): Problem[] => {
    const isScript = run.has(path) || (bytes[0] === 35 && bytes[1] === 33);
    const line = isScript ? firstCrlfLine(bytes) : null;
    if (line === null) return [];
    const file = join(draft.folder.dir, path);
    return [
      {
        code: 'crlf_in_script',
        text: words('doc.crlf_in_script', { path }),
        place: { file, line: line.line, column: line.column },
        expected: 'lines that end with LF alone',
      },
    ];
  });
}

function firstCrlfLine(bytes: Uint8Array): { readonly line: number; readonly column: number } | null {
  let line = 1;
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== LINE_FEED) continue;
    if (bytes[at - 1] === CARRIAGE_RETURN) return { line, column: at - start };
    line++;
    start = at + 1;
  }
  return null;
}
