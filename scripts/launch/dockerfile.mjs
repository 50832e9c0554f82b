import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The stages of a Dockerfile: `{image, name, instructions: [{name, value}]}`, continued lines joined, comments left out. */
export function readDockerfile(text) {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages = [];
  for (const line of lines) {
    const [, name, value] = line.match(/^\s*(\S+)\s+(.*)$/);
    if (name === 'FROM') {
      const [image, , alias] = value.split(/\s+/);
      stages.push({ image, name: alias, instructions: [] });
    } else stages.at(-1).instructions.push({ name, value });
  }
  return stages;
}

/** What is wrong with an image that is built in the folder `context`, as sentences. */
export function dockerfileProblems(root, context, stages) {
  const named = new Set(stages.map((stage) => stage.name).filter(Boolean));
  const problems = [];
  for (const { image, instructions } of stages) {
    if (!named.has(image) && !/^[\w./-]+:[\w.-]*[a-z\d][\w.-]*$/.test(image))
      problems.push(`${image} has no tag`);
    if (/:latest$/.test(image)) problems.push(`${image} is whatever it is today`);
    for (const { name, value } of instructions) {
      if (name === 'ADD') problems.push('ADD fetches and unpacks: use COPY');
      if (name === 'COPY') problems.push(...copyProblems(root, context, value, named));
      if (name === 'RUN' && /\b(curl|wget)\b/.test(value)) problems.push('RUN fetches what nothing pins');
      if (/(password|secret|token)=\S/i.test(value.replace(/--password '\*'/, '')))
        problems.push(`${name} holds a secret`);
    }
  }
  const last = stages.at(-1).instructions;
  const lastOf = (name) => last.findLast((one) => one.name === name)?.value;
  const user = lastOf('USER');
  if (user === undefined || /^(root|0)(:|$)/.test(user)) problems.push('it runs as root');
  if (lastOf('STOPSIGNAL') !== 'SIGTERM') problems.push('STOPSIGNAL SIGTERM is missing');
  // Through a shell the signal would end the shell only.
  if (!lastOf('CMD')?.startsWith('[')) problems.push('CMD is no list');
  return problems;
}

function copyProblems(root, context, value, stages) {
  const words = value.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  if (from !== undefined) return stages.has(from) ? [] : [`COPY from ${from}, which is no stage`];
  return words
    .filter((word) => !word.startsWith('--'))
    .slice(0, -1)
    .filter((source) => !existsSync(join(root, context, source)))
    .map((source) => `COPY ${source}: there is no such file`);
}
