import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { EXIT } from './exit-code.js';
import { type Failure, ownProblem } from './shown-problem.js';

export type ReadDocument =
  | { readonly ok: true; readonly file: string; readonly text: string }
  | { readonly ok: false; readonly failure: Failure };

/** The document of `-f FILE`; `-` is standard input. */
export async function readDocument(
  file: string,
  stdin: NodeJS.ReadableStream = process.stdin,
): Promise<ReadDocument> {
  if (file === '-') return { ok: true, file: 'stdin', text: await text(stdin) };
  try {
    const bytes = await readFile(file);
    return { ok: true, file, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const words = {
      ENOENT: 'there is no such file',
      EISDIR: 'this is a folder',
      EACCES: 'this file is not readable for you',
    };
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      error instanceof TypeError ? 'this is no UTF-8 text' : (words[code as keyof typeof words] ?? message);
    const expected = code === 'EISDIR' ? 'a file with one intent' : null;
    return {
      ok: false,
      failure: { exit: EXIT.refused, problems: [ownProblem('file_not_readable', why, expected, file)] },
    };
  }
}
