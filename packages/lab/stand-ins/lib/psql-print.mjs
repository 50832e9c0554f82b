/** How psql prints rows, command tags and errors. */

const NOTICES = new Set(['NOTICE', 'WARNING', 'INFO', 'DEBUG', 'LOG']);
const RIGHT_ALIGNED = new Set([20, 21, 23, 26, 700, 701, 790, 1700]);

/** Prints one result as the options say. */
export function printResult(result, settings) {
  if (result.fields.length === 0) return;
  const cells = result.rows.map((row) => row.map((value) => value ?? ''));
  const text = settings.unaligned ? unaligned(result, cells, settings) : aligned(result, cells, settings);
  process.stdout.write(text);
}

/** The words of a server's error: message, place in the statement, detail, hint. */
export function errorWords(error, statement) {
  const severity = error.severity ?? 'ERROR';
  const lines = [`${severity}:  ${error.message}`];
  if (error.position !== undefined && statement !== undefined)
    lines.push(...placeOf(Number(error.position), statement));
  if (error.detail) lines.push(`DETAIL:  ${error.detail}`);
  if (error.hint) lines.push(`HINT:  ${error.hint}`);
  // psql's SHOW_CONTEXT is `errors`: a notice comes without.
  if (error.where && !NOTICES.has(severity)) lines.push(`CONTEXT:  ${error.where}`);
  return `${lines.join('\n')}\n`;
}

function placeOf(position, statement) {
  const before = statement.slice(0, position - 1).split('\n');
  const number = before.length;
  const line = statement.split('\n')[number - 1] ?? '';
  const head = `LINE ${number}: `;
  return [`${head}${line.replaceAll('\t', ' ')}`, `${' '.repeat(head.length + before[number - 1].length)}^`];
}

function unaligned(result, cells, settings) {
  const lines = cells.map((row) => row.join(settings.separator));
  if (settings.tuplesOnly) return lines.map((line) => `${line}\n`).join('');
  const head = result.fields.map((field) => field.name).join(settings.separator);
  return `${[head, ...lines, count(cells.length)].join('\n')}\n`;
}

function aligned(result, cells, settings) {
  const names = result.fields.map((field) => field.name);
  const widths = names.map((name, column) =>
    Math.max(name.length, ...cells.map((row) => row[column].length)),
  );
  const line = (row) =>
    row
      .map((cell, column) => {
        const right = RIGHT_ALIGNED.has(result.fields[column].dataTypeID);
        // The last column ends with its text, not with padding.
        if (column === row.length - 1) return ` ${right ? cell.padStart(widths[column]) : cell}`;
        return ` ${right ? cell.padStart(widths[column]) : cell.padEnd(widths[column])} `;
      })
      .join('|');
  const centred = names.map((name, column) => {
    const left = Math.floor((widths[column] - name.length) / 2);
    return ` ${' '.repeat(left)}${name.padEnd(widths[column] - left)} `;
  });
  const body = cells.map((row) => line(row));
  if (settings.tuplesOnly) return `${body.join('\n')}\n\n`;
  const rule = widths.map((width) => '-'.repeat(width + 2)).join('+');
  return `${[centred.join('|'), rule, ...body, count(cells.length)].join('\n')}\n\n`;
}

function count(rows) {
  return `(${rows} ${rows === 1 ? 'row' : 'rows'})`;
}
