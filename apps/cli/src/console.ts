import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { ExitCode } from './exit-code.js';
import { type Failure, problemLine } from './shown-problem.js';

/** Where a command speaks. With `--json` stdout gets exactly one JSON document and nothing else. */
export class Console {
  constructor(
    readonly json: boolean,
    private readonly streams: {
      readonly stdin: Readable;
      readonly stdout: Writable;
      readonly stderr: Writable;
    },
    /** Whether a person can be asked. */
    readonly isTerminal: boolean,
  ) {}

  /** Whether what is written acts on somebody's terminal. */
  get writesToTerminal(): boolean {
    return 'isTTY' in this.streams.stdout && this.streams.stdout.isTTY === true;
  }

  /** A line for people; silent with `--json`. */
  say(line = ''): void {
    if (!this.json) this.streams.stdout.write(`${line}\n`);
  }

  /** Bytes for people or pipes, as they are; silent with `--json`. */
  write(text: string | Uint8Array): void {
    if (!this.json) this.streams.stdout.write(text);
  }

  /** A line beside the result: progress, hints, what blocks. */
  note(line: string): void {
    this.streams.stderr.write(`${line}\n`);
  }

  /** The one document of `--json`; silent without. */
  document(value: unknown): void {
    if (this.json) this.streams.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** Says why nothing was done and gives the code to end with. */
  fail(failure: Failure): ExitCode {
    for (const problem of failure.problems) this.note(problemLine(problem));
    this.document({ problems: failure.problems });
    return failure.exit;
  }

  async ask(question: string): Promise<boolean> {
    const lines = createInterface({ input: this.streams.stdin, output: this.streams.stderr });
    try {
      return /^(y|yes)$/i.test((await lines.question(`${question} [y/N] `)).trim());
    } finally {
      lines.close();
    }
  }
}

/** Rows as columns, two spaces apart; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
