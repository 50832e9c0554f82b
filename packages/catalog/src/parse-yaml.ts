import type { Place, Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import { Composer, Lexer, Parser } from 'yaml';
import { readNode } from './read-node.js';
import { type Locate, SourceDocument } from './source-document.js';
import { tooDeep, tooLarge, YAML_LIMITS } from './yaml-limits.js';

/** Library errors told per file; the first ones explain the rest. */
const MAX_SYNTAX_PROBLEMS = 20;

export interface ParsedFile {
  readonly documents: readonly SourceDocument[];
  /** What belongs to no single document. */
  readonly problems: readonly Problem[];
}

/**
 * Reads YAML 1.2 (so JSON too), one or several documents, under limits that are counted before anything recursive
 * runs. Never throws on any text.
 */
export function parseYaml(source: string, file: string): ParsedFile {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const locate = locator(text, file);
  if (Buffer.byteLength(text) > YAML_LIMITS.bytes)
    return refuse(tooLarge(locate(0), 'bytes', YAML_LIMITS.bytes, `at most ${YAML_LIMITS.bytes} bytes`));
  const tokens = readTokens(text, locate);
  if (!Array.isArray(tokens)) return refuse(tokens);
  const problems: Problem[] = tokens
    .filter((token) => token.type === 'directive')
    .map((token) => directive(locate(token.offset)));
  const documents: SourceDocument[] = [];
  // Duplicate keys are ours to find: the library's own search is quadratic and names one place only.
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    merge: false,
    resolveKnownTags: false,
    prettyErrors: false,
  });
  for (const document of composer.compose(tokens)) {
    const syntax = [...document.errors, ...document.warnings].slice(0, MAX_SYNTAX_PROBLEMS).map(
      (error): Problem => ({
        code: 'invalid_yaml',
        text: words('doc.invalid_yaml', { detail: error.message }),
        place: locate(error.pos[0]),
        expected: error.code === 'TAG_RESOLVE_FAILED' ? 'no tags' : 'YAML 1.2',
      }),
    );
    const read = readNode(document.contents, locate);
    if (read.empty && syntax.length === 0) continue;
    documents.push(
      new SourceDocument(
        file,
        read.value,
        syntax.length > 0,
        [...syntax, ...read.problems],
        read.unsafeNumbers,
        document.contents,
        read.targets,
        locate,
      ),
    );
  }
  if (documents.length === 0 && problems.length === 0)
    problems.push({
      code: 'no_documents',
      text: words('doc.no_documents'),
      place: locate(0),
      expected: 'a YAML document',
    });
  return { documents, problems };
}

type TokenList = ReturnType<Parser['next']> extends Generator<infer Token> ? Token[] : never;

/** The concrete tokens, or why there are too many or too deep ones. The library's parser keeps its depth in a list. */
function readTokens(text: string, locate: Locate): TokenList | Problem {
  const parser = new Parser();
  const tokens: TokenList = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > YAML_LIMITS.tokens)
      return tooLarge(
        locate(parser.offset),
        'tokens',
        YAML_LIMITS.tokens,
        `at most ${YAML_LIMITS.tokens} tokens`,
      );
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > YAML_LIMITS.depth + 2) return tooDeep(locate(parser.offset));
  }
  tokens.push(...parser.end());
  return tokens;
}

function directive(place: Place): Problem {
  const detail = 'a directive: %YAML and %TAG change what the rest of the file means';
  return {
    code: 'invalid_yaml',
    text: words('doc.invalid_yaml', { detail }),
    place,
    expected: 'no directives',
  };
}

function refuse(problem: Problem): ParsedFile {
  return { documents: [], problems: [problem] };
}

function locator(text: string, file: string): Locate {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
