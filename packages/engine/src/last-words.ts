import type { EngineDependencies } from './dependencies.js';

/** How much of the end of a log is looked at, and how long a line may be in a reason, in bytes and characters. */
const TAIL = 2048;
const LINE = 240;

/** The last line that an attempt printed, as stored (masked), without control characters: what a person reads first. */
export async function lastWords(deps: Pick<EngineDependencies, 'logs'>, attemptId: string): Promise<string> {
  const size = await deps.logs.size(attemptId);
  if (size === 0) return '';
  const tail = await deps.logs.read(attemptId, Math.max(0, size - TAIL), TAIL);
  const lines = new TextDecoder('utf-8').decode(tail).split(/[\r\n]+/);
  const last = lines
    .map((line) => line.replace(/\p{Cc}\[[0-9;]*m|\p{Cc}/gu, '').trim())
    .filter((line) => line !== '')
    .at(-1);
  return (last ?? '').slice(0, LINE);
}
