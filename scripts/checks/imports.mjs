import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listFiles, repositoryRoot } from '../launch/repository.mjs';
import { runTool } from '../launch/run-tool.mjs';

const cruiser = join(repositoryRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const readsTsx = pathToFileURL(join(repositoryRoot, 'scripts/launch/swc-reads-tsx.mjs')).href;

/** The arrows between packages, import cycles and undeclared imports (dependency-cruiser, `.dependency-cruiser.cjs`). */
export async function run(root) {
  const folders = ['packages', 'apps', 'schema/src', 'e2e', 'bench'].filter((name) =>
    existsSync(join(root, name)),
  );
  const { stdout, stderr } = await runTool(
    process.execPath,
    [
      '--import',
      readsTsx,
      cruiser,
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'json',
      ...folders,
    ],
    root,
  );
  if (!stdout.startsWith('{')) return [failure(`it did not run: ${(stderr || stdout).trim()}`)];
  const { modules, summary } = JSON.parse(stdout);
  const sources = folders
    .flatMap((folder) => listFiles(root, folder))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('/next-env.d.ts'));
  const cruised = new Set(modules.map((module) => module.source));
  const missed = sources.filter((file) => !cruised.has(file));
  // A parser that reads nothing finds nothing: counting what was read is the only sign of it.
  if (sources.length === 0 || missed.length > 0) {
    return [failure(`it read ${cruised.size} modules and missed ${missed.length}, such as ${missed[0]}`)];
  }
  return [...summary.violations.map(toProblem), ...portValues(root, sources)];
}

function toProblem({ from, to, rule, cycle }) {
  const path = cycle ? `${from} → ${cycle.map((step) => step.name).join(' → ')}` : `${from} → ${to}`;
  return { path: from, text: `${rule.name}: ${path}` };
}

/**
 * Adapters import only types from the engine: an adapter that calls engine code is no adapter. Checked on the
 * text, because the swc parser does not tell dependency-cruiser which imports are types.
 */
function portValues(root, sources) {
  return sources
    .filter((file) => /^packages\/(postgres|ssh)\/src\//.test(file) && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const found = text.matchAll(
        /^\s*(?:import|export)\s(?!type\b)[^;]*?from\s+'@capstan\/engine(?:\/[^']*)?'/gm,
      );
      return [...found].map((match) => ({
        path: file,
        line: text.slice(0, match.index + match[0].length).split('\n').length,
        text: 'ports-are-types: import type from @capstan/engine, no values',
      }));
    });
}

function failure(text) {
  return { path: '.dependency-cruiser.cjs', text: `dependency-cruiser: ${text}` };
}
