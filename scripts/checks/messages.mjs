import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'apps/web/messages';
const [source, ...others] = ['en', 'ru'];
/** What `Intl` distinguishes; a count without one of them shows a wrong ending. */
const plurals = { en: ['one', 'other'], ru: ['one', 'few', 'many', 'other'] };

/** The words of the pages: every language has the same keys and placeholders, and all plural forms of its own. */
export async function run(root) {
  if (!existsSync(join(root, folder))) return [];
  const areas = new Set([source, ...others].flatMap((locale) => files(root, locale)));
  return [...areas].sort().flatMap((file) => {
    const original = read(root, source, file);
    return [
      ...pluralProblems(original, source, file),
      ...others.flatMap((locale) => {
        const translated = read(root, locale, file);
        return [
          ...differences(original, translated, locale, file),
          ...pluralProblems(translated, locale, file),
        ];
      }),
    ];
  });
}

function files(root, locale) {
  const path = join(root, folder, locale);
  return existsSync(path) ? readdirSync(path).filter((file) => file.endsWith('.json')) : [];
}

/** Every message by its dotted key. */
function read(root, locale, file) {
  const path = join(root, folder, locale, file);
  const found = new Map();
  const visit = (value, key) => {
    if (typeof value === 'string') found.set(key, value);
    else
      for (const [name, inner] of Object.entries(value)) visit(inner, key === '' ? name : `${key}.${name}`);
  };
  visit(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}, '');
  return found;
}

function differences(original, translated, locale, file) {
  const path = `${folder}/${locale}/${file}`;
  const problems = [];
  for (const [key, text] of original) {
    const other = translated.get(key);
    if (other === undefined) problems.push(`${key}: missing`);
    else if (other.trim() === '') problems.push(`${key}: empty`);
    else if (names(text) !== names(other))
      problems.push(`${key}: placeholders ${names(other) || 'none'}, expected ${names(text) || 'none'}`);
  }
  for (const key of translated.keys()) if (!original.has(key)) problems.push(`${key}: not in ${source}`);
  return problems.map((text) => ({ path, text }));
}

/** The arguments of an ICU message and the tags around its parts, sorted. */
function names(text) {
  const tags = [...text.matchAll(/<([a-z]\w*)>/g)].map(([, tag]) => `<${tag}>`);
  return [...new Set([...partsOf(text).map(({ argument }) => argument), ...tags])].sort().join(', ');
}

function pluralProblems(messages, locale, file) {
  return [...messages].flatMap(([key, text]) =>
    partsOf(text)
      .filter(({ type }) => type === 'plural')
      .flatMap(({ forms }) => plurals[locale].filter((form) => !forms.includes(form)))
      .map((form) => ({
        path: `${folder}/${locale}/${file}`,
        text: `${key}: plural form ${form} is missing`,
      })),
  );
}

/** Every `{argument}`, `{argument, type, …}` of a message, those inside of others too; of a choice also its forms. */
function partsOf(text) {
  const parts = [];
  let at = 0;
  const word = () => {
    const [found] = /^\s*[^\s{},]*\s*,?/.exec(text.slice(at));
    at += found.length;
    return found.replace(',', '').trim();
  };
  // Until the brace that closes the message, or the end.
  const message = () => {
    for (; at < text.length && text[at] !== '}'; at += 1) {
      if (text[at] === '{') {
        at += 1;
        argument();
      }
    }
  };
  const argument = () => {
    const part = { argument: word(), type: text[at] === '}' ? '' : word(), forms: [] };
    parts.push(part);
    const isChoice = ['plural', 'selectordinal', 'select'].includes(part.type);
    while (at < text.length && text[at] !== '}') {
      if (isChoice && text[at] === '{') {
        at += 1;
        message();
        at += 1;
      } else if (isChoice && /\S/.test(text[at])) part.forms.push(word());
      else at += 1;
    }
  };
  message();
  return parts;
}
