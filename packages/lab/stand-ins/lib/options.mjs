/**
 * Reads an argument list the way getopt_long does: bundled short options, values attached or apart, `--name=value`.
 * `spec` maps each option's name to `flag` or `value`; an option that is not in it goes to `unknown`, which ends the tool.
 */
export function readOptions(argv, spec, unknown) {
  const options = [];
  const rest = [];
  const words = [...argv];
  while (words.length > 0) {
    const word = words.shift();
    if (word === '--') return { options, rest: [...rest, ...words], afterDashes: words };
    if (word.startsWith('--')) options.push(longOption(word, words, spec, unknown));
    else if (word.startsWith('-') && word !== '-') options.push(...shortOptions(word, words, spec, unknown));
    else rest.push(word);
  }
  return { options, rest, afterDashes: [] };
}

function longOption(word, words, spec, unknown) {
  const [name, ...tail] = word.slice(2).split('=');
  if ((spec[name] ?? unknown(word)) === 'flag') return [name, true];
  return [name, tail.length > 0 ? tail.join('=') : (words.shift() ?? unknown(word))];
}

function shortOptions(word, words, spec, unknown) {
  const options = [];
  for (let at = 1; at < word.length; at += 1) {
    const name = word[at];
    if ((spec[name] ?? unknown(`-${name}`)) === 'flag') {
      options.push([name, true]);
      continue;
    }
    const attached = word.slice(at + 1);
    options.push([
      name,
      attached === '' ? (words.shift() ?? unknown(`-${name}`)) : attached.replace(/^=/, ''),
    ]);
    break;
  }
  return options;
}
