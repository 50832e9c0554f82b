import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

const web = 'apps/web';
const build = `${web}/.next`;
const kB = 1000;

/** What must not be in the first load of a page, and a string of it that no minifier changes. */
const heavy = {
  '@xyflow/react': 'react-flow__',
  '@rjsf/core': 'ui:field',
  codemirror: 'cm-editor',
};

const simple = { limit: 250 * kB, without: Object.keys(heavy) };
/** Pages that are allowed more, and why. */
const budgets = {
  // The form is the page.
  '/new/[ref]': { limit: 400 * kB, without: ['@xyflow/react', 'codemirror'] },
};

/** The script that a page loads before anybody does anything there: gzipped size, and libraries that only some pages need. */
export async function run(root) {
  if (!existsSync(join(root, build, 'build-manifest.json')))
    return [{ path: build, text: 'not built: npm start or npm test builds the pages' }];
  const pages = pageScripts(root);
  if (pages.length === 0) return [{ path: build, text: 'no page was found: the form of the build changed' }];
  const read = reader(root);
  return pages.flatMap(({ route, scripts }) => judge(route, scripts.map(read)));
}

function judge(route, scripts) {
  const { limit, without } = budgets[route] ?? simple;
  const size = scripts.reduce((sum, script) => sum + script.size, 0);
  const path = `${web}/app${route}`;
  const problems = without
    .filter((name) => scripts.some(({ text }) => text.includes(heavy[name])))
    .map((name) => ({ path, text: `its first load holds ${name}: import it with next/dynamic` }));
  if (size > limit)
    problems.push({
      path,
      text: `its first load is ${Math.ceil(size / kB)} kB of gzipped script, the limit is ${limit / kB}`,
    });
  return problems;
}

function reader(root) {
  const known = new Map();
  return (file) => {
    if (!known.has(file)) {
      const content = readFileSync(join(root, build, file));
      known.set(file, { size: gzipSync(content).length, text: content.toString('utf8') });
    }
    return known.get(file);
  };
}

/** Every page with the scripts of its first load, as the manifests of the build name them. */
export function pageScripts(root) {
  const { rootMainFiles } = JSON.parse(readFileSync(join(root, build, 'build-manifest.json'), 'utf8'));
  return manifests(join(root, build, 'server/app')).map((file) => {
    const context = {};
    runInNewContext(`globalThis = this; ${readFileSync(file, 'utf8')}`, context);
    const [[name, manifest]] = Object.entries(context.__RSC_MANIFEST);
    const chunks = Object.values(manifest.clientModules).flatMap(({ chunks: all }) => all);
    const scripts = chunks
      .filter((chunk) => chunk.endsWith('.js'))
      .map((chunk) => chunk.replace(/^\/_next\//, ''));
    return { route: routeOf(name), scripts: [...new Set([...rootMainFiles, ...scripts])].sort() };
  });
}

function manifests(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return manifests(path);
    return entry.name === 'page_client-reference-manifest.js' ? [path] : [];
  });
}

/** `/(pages)/hosts/page` is `/hosts`. */
function routeOf(name) {
  return name.replace(/\/page$/, '').replace(/\/\([^)]+\)/g, '') || '/';
}
