/** What is wrong with a regular expression; null when JavaScript takes it. */
export function patternFault(source: string): string | null {
  try {
    new RegExp(source, 'u');
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : String(error);
  }
}

/**
 * What is wrong with a pattern that masks a stream; null when it is fine. It runs over every byte that a job prints, in
 * a backtracking engine, so what can take exponential time is refused: repetitions and alternatives inside a repetition,
 * and references back. One that matches nothing would mask nothing, at every place.
 */
export function redactFault(source: string): string | null {
  const fault = patternFault(source);
  if (fault !== null) return fault;
  if (/\\[1-9]|\\k</.test(source)) return 'a reference back to a group';
  if (nestedRepetition(source)) return 'a repetition or alternatives inside a repetition';
  return new RegExp(source, 'u').test('') ? 'it matches the empty text' : null;
}

/** Whether a group that holds an unbounded repetition, or alternatives, is itself repeated without bound. */
function nestedRepetition(source: string): boolean {
  const groups = [{ varies: false }];
  for (let at = 0; at < source.length; at++) {
    const letter = source[at];
    let closed: { varies: boolean } | undefined;
    if (letter === '\\') at++;
    else if (letter === '[') at = classEnd(source, at);
    else if (letter === ')') closed = groups.pop();
    else if (letter === '(') {
      groups.push({ varies: false });
      continue;
    }
    const repeated = isUnbounded(source.slice(at + 1, at + 12));
    if (closed?.varies && repeated) return true;
    const group = groups.at(-1);
    if (group !== undefined && (repeated || letter === '|' || closed?.varies)) group.varies = true;
  }
  return false;
}

function classEnd(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']') return at;
  }
  return source.length;
}

/** `*`, `+`, `{2,}`, or a count that is long enough to hurt when nested. */
function isUnbounded(rest: string): boolean {
  if (/^[*+]/.test(rest)) return true;
  const counted = /^\{(\d*)(,?)(\d*)\}/.exec(rest);
  return (
    counted !== null && ((counted[2] === ',' && counted[3] === '') || Number(counted[3] || counted[1]) > 64)
  );
}
