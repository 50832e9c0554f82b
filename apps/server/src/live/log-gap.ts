import type { LiveLog } from '@capstan/engine';

/** Bytes of a log that are not there any more. */
export interface LogGap {
  readonly to: number;
  /** Says so, in the place where they were. */
  readonly text: string;
  /** Nothing will come after it. */
  readonly forGood: boolean;
}

/** What is missing at an offset of a log; null: the byte is there, or not yet. */
export function gapAt(
  offset: number,
  { logCut, logPruned, logSize }: Pick<LiveLog, 'logCut' | 'logPruned' | 'logSize'>,
): LogGap | null {
  if (logPruned && offset < logSize)
    return { to: logSize, text: `[${logSize} bytes were removed on ${logPruned.at}]\n`, forGood: true };
  if (logCut && offset >= logCut.from && offset < logCut.to)
    return { to: logCut.to, text: `\n[${logCut.to - offset} bytes were not kept]\n`, forGood: false };
  return null;
}
