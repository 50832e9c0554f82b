import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGenerated } from '../launch/generated-files.mjs';
import { listFiles } from '../launch/repository.mjs';

const warnAbove = 400;
const failAbove = 700;
const exceptionsFile = '.ci/size-exceptions.json';

/** Files longer than 700 lines, unless `.ci/size-exceptions.json` gives a reason; warns above 400. */
export async function run(root) {
  const exceptions = readExceptions(root);
  const excused = new Set(exceptions.map((exception) => exception.file));
  const long = listFiles(root)
    .filter((file) => /\.(ts|tsx|mjs|cjs|js|sh)$/.test(file) && !isGenerated(root, file))
    .map((file) => ({ file, lines: countLines(join(root, file)) }))
    .filter(({ lines }) => lines > warnAbove);
  return [
    ...long.filter(({ file }) => !excused.has(file)).map(toProblem),
    ...exceptions.flatMap((exception) => excuseProblems(exception, long)),
  ];
}

function toProblem({ file, lines }) {
  const fails = lines > failAbove;
  const limit = fails ? `the limit is ${failAbove}` : `aim at 250, at most ${failAbove}`;
  return { path: file, line: lines, text: `${lines} lines, ${limit}`, warning: !fails };
}

function excuseProblems({ file, reason }, long) {
  const problems = [];
  if (typeof reason !== 'string' || reason.length < 10) problems.push(`${file} has no reason`);
  if (!long.some((entry) => entry.file === file && entry.lines > failAbove)) {
    problems.push(`${file} is not above ${failAbove} lines: remove the exception`);
  }
  return problems.map((text) => ({ path: exceptionsFile, text }));
}

function readExceptions(root) {
  const file = join(root, exceptionsFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

function countLines(file) {
  return readFileSync(file, 'utf8').trimEnd().split('\n').length;
}
