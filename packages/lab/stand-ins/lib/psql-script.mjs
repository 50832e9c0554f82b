/**
 * Cuts a psql script into statements and backslash commands. It is lazy: a variable that one command sets is already
 * there when the next statement is read.
 */
import pg from 'pg';

/** Yields `{kind: 'sql', text, line}` and `{kind: 'command', name, words, buffer, line}`. */
export function* readScript(source, variables) {
  let [text, depth, line] = ['', 0, 1];
  let at = 0;
  const take = (length) => {
    const piece = source.slice(at, at + length);
    line += piece.split('\n').length - 1;
    at += length;
    return piece;
  };
  while (at < source.length) {
    const rest = source.slice(at, at + 4096);
    const quoted = quotedPiece(source, at, text);
    if (rest.startsWith('--')) {
      take(lineLength(source, at));
    } else if (rest.startsWith('/*')) {
      take(commentLength(source, at));
      text += ' ';
    } else if (quoted > 0) {
      text += take(quoted);
    } else if (rest.startsWith('::')) {
      text += take(2);
    } else if (rest[0] === ':' && /^:(?:'\w+'|"\w+"|\w+)/.test(rest)) {
      const reference = /^:(?:'\w+'|"\w+"|\w+)/.exec(rest)[0];
      text += expand(take(reference.length), variables);
    } else if (rest[0] === ';' && depth === 0) {
      take(1);
      if (text.trim() !== '') yield { kind: 'sql', text: `${text.trim()};`, line };
      text = '';
    } else if (rest[0] === '\\') {
      const words = commandWords(take(lineLength(source, at)), variables);
      const command = { kind: 'command', name: words[0], words: words.slice(1), buffer: text.trim(), line };
      if (['g', 'gexec', 'gset'].includes(command.name)) text = '';
      yield command;
    } else {
      if (rest[0] === '(') depth += 1;
      if (rest[0] === ')') depth = Math.max(0, depth - 1);
      text += take(1);
    }
  }
  if (text.trim() !== '') yield { kind: 'sql', text: text.trim(), line };
}

/** `:name`, `:'name'` and `:"name"`; an unknown variable stays as it is written. */
function expand(reference, variables) {
  const name = reference.replace(/^:['"]?|['"]$/g, '');
  const value = variables.get(name);
  if (value === undefined) return reference;
  if (reference[1] === "'") return pg.escapeLiteral(value);
  return reference[1] === '"' ? pg.escapeIdentifier(value) : value;
}

/** Length of the quoted piece that begins at `at`: 'text', E'text', "name", $tag$text$tag$; 0 when there is none. */
function quotedPiece(source, at, before) {
  const first = source[at];
  if (first === '"') return endOf(source, at, '"');
  if (first === "'") return endOf(source, at, "'", /(?:^|[^\w])[eE]$/.test(before));
  if (first !== '$' || /\w$/.test(before)) return 0;
  const tag = /^\$(?:[A-Za-z_][A-Za-z_0-9]*)?\$/.exec(source.slice(at, at + 64))?.[0];
  if (tag === undefined) return 0;
  const end = source.indexOf(tag, at + tag.length);
  return end === -1 ? source.length - at : end + tag.length - at;
}

function endOf(source, start, quote, escapes = false) {
  for (let at = start + 1; at < source.length; at += 1) {
    if (escapes && source[at] === '\\') at += 1;
    else if (source[at] === quote) return at + 1 - start;
  }
  return source.length - start;
}

function lineLength(source, at) {
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length - at : end - at;
}

function commentLength(source, start) {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if (source.startsWith('/*', at)) depth += 1;
    else if (source.startsWith('*/', at)) depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return at + 1 - start;
  }
  return source.length - start;
}

const ESCAPES = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** The words of a backslash command: bare, 'quoted' with escapes, "quoted", or a variable. */
function commandWords(line, variables) {
  const words = [/^\\(\S*)/.exec(line)[1]];
  let at = words[0].length + 1;
  let word;
  while (at < line.length) {
    const rest = line.slice(at);
    const reference = /^:(?:'\w+'|"\w+"|\w+)/.exec(rest)?.[0];
    if (/^\s/.test(rest)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else if (rest[0] === "'") {
      const length = quotedWordLength(rest);
      word = `${word ?? ''}${rest.slice(1, length - 1).replace(/''|\\([0-7]{1,3}|.)/g, (match, escaped) => unescaped(match, escaped))}`;
      at += length;
    } else if (rest[0] === '"') {
      const length = endOf(rest, 0, '"');
      word = `${word ?? ''}${rest.slice(0, length)}`;
      at += length;
    } else if (reference !== undefined) {
      word = `${word ?? ''}${expand(reference, variables)}`;
      at += reference.length;
    } else {
      word = `${word ?? ''}${rest[0]}`;
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

function quotedWordLength(text) {
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === "'" && text[at + 1] === "'") at += 1;
    else if (text[at] === "'") return at + 1;
  }
  return text.length + 1;
}

function unescaped(match, escaped) {
  if (match === "''") return "'";
  if (/^[0-7]+$/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8));
  return ESCAPES[escaped] ?? escaped;
}
