import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { repositoryRoot, workspaceFolders } from '../launch/repository.mjs';
import { checkNames, loadCheck } from '../launch/run-checks.mjs';

const canaries = join(repositoryRoot, 'scripts/checks/canaries');
const places = mkdtempSync(join(tmpdir(), 'capstan-canaries-'));
after(() => rmSync(places, { recursive: true, force: true }));

// What each check must say about each fixture, which holds one known violation: place and words.
const expected = {
  api: {
    removed: ['schema/schema.graphql', /Query\.packs was removed\. Keep it deprecated/],
    unreasoned: ['schema/breaking.json', /has no reason/],
    outlived: ['schema/breaking.json', /is no change any more/],
  },
  bundle: {
    'too-large': ['apps/web/app/hosts', /of gzipped script, the limit is 250/],
    'heavy-library': ['apps/web/app/hosts', /holds @xyflow\/react/],
    'not-built': ['apps/web/.next', /not built/],
    'no-page': ['apps/web/.next', /no page was found/],
  },
  'dead-code': {
    file: ['packages/model/src/forgotten.ts', /nothing reaches/],
    export: ['packages/model/src/plan.ts', /double: exported, and used by no other file/],
    type: ['packages/model/src/plan.ts', /Nothing: exported type/],
    dependency: ['packages/model/package.json', /semver: unused dependency/],
    unlisted: ['packages/model/src/plan.ts', /semver: used, but not/],
  },
  format: {
    lint: ['packages/model/src/any.ts', /noExplicitAny/],
    layout: ['packages/model/src/layout.ts', /not formatted/],
    're-export-all': ['packages/model/src/index.ts', /noReExportAll/],
  },
  generated: {
    stale: ['schema/made.txt', /not what its generator prints/],
    failing: ['schema/made.txt', /generator failed/],
    silent: ['schema/made.txt', /printed nothing/],
  },
  hygiene: {
    localhost: ['apps/server/src/url.ts', /^localhost/],
    'allow-without-reason': ['apps/server/src/url.ts', /^localhost/],
    'checkout-path': ['scripts/run.mjs', /^checkout-path/],
    'home-path': ['scripts/run.mjs', /^home-path/],
    only: ['packages/model/src/plan.test.ts', /^left-out-test/],
    skip: ['packages/model/src/plan.test.ts', /^left-out-test/],
    suppression: ['packages/model/src/plan.ts', /^suppression/],
    todo: ['packages/model/src/plan.ts', /^todo/],
    environment: ['packages/postgres/src/connect.ts', /^environment/],
    public: ['packages/model/package.json', /^private/],
    registry: ['pnpm-lock.yaml', /^registry/],
  },
  imports: {
    arrow: ['packages/planner/src/plan.ts', /arrow-planner/],
    'relative-arrow': ['packages/model/src/plan.ts', /arrow-model/],
    'cli-engine': ['apps/cli/src/main.ts', /arrow-cli/],
    cycle: ['packages/model/src/egg.ts', /no-cycle/],
    'own-index': ['packages/model/src/patch.ts', /no-own-index/],
    pure: ['packages/model/src/clock.ts', /pure/],
    external: ['packages/engine/src/store.ts', /external-engine/],
    undeclared: ['packages/planner/src/lost.ts', /resolvable/],
    'port-values': ['packages/ssh/src/host-port.ts', /ports-are-types/],
    lab: ['packages/ssh/src/lab.ts', /lab-only-for-start/],
    graphql: ['apps/server/src/elsewhere.ts', /fence-graphql/],
    nothing: ['.dependency-cruiser.cjs', /read 0 modules/],
  },
  licences: {
    copyleft: ['node_modules/.pnpm/odd@1.0.0/node_modules/odd/package.json', /AGPL-3.0-only is not allowed/],
    partly: [
      'node_modules/.pnpm/odd@1.0.0/node_modules/odd/package.json',
      /MIT AND SSPL-1.0\) is not allowed/,
    ],
    unlicensed: ['node_modules/.pnpm/odd@1.0.0/node_modules/odd/package.json', /names no licence/],
    'no-reason': ['.ci/licences.json', /has no reason/],
    outlived: ['.ci/licences.json', /remove the exception/],
    'empty-store': ['node_modules/.pnpm', /no installed package/],
  },
  messages: {
    missing: ['apps/web/messages/ru/shell.json', /nav\.hosts: missing/],
    surplus: ['apps/web/messages/ru/shell.json', /nav\.other: not in en/],
    placeholder: ['apps/web/messages/ru/shell.json', /attention: placeholders number, expected count/],
    plural: ['apps/web/messages/ru/shell.json', /attention: plural form few is missing/],
  },
  names: {
    file: ['packages/model/src/string-utils.ts', /name it after/],
    folder: ['packages/model/src/helpers/plan.ts', /name it after/],
  },
  promises: {
    source: ['packages/model/src/forgets.ts', /no-floating-promises/],
    test: ['packages/model/src/forgets.test.ts', /no-floating-promises/],
  },
  rules: {
    untested: ['packages/model/RULES.md', /no test name quotes \[S5\]/],
    unknown: ['packages/model/src/evidence.test.ts', /\[S99\]/],
    missing: ['packages/model/RULES.md', /missing/],
  },
  size: {
    unreasoned: ['.ci/size-exceptions.json', /has no reason/],
    needless: ['.ci/size-exceptions.json', /remove the exception/],
    long: ['packages/model/src/long.ts', /701 lines/],
    warned: ['packages/model/src/long.ts', /401 lines/],
  },
  types: {
    source: ['packages/model/src/wrong.ts', /TS2322/],
    test: ['packages/model/src/wrong.test.ts', /TS2322/],
  },
};
// Too long to keep in git.
const lengths = { long: 701, warned: 401, unreasoned: 701 };
// What git never holds: an installed package, by its licence.
const builds = {
  // Random bytes do not shrink.
  'too-large': () => randomBytes(251_000).toString('latin1'),
  'heavy-library': () => 'className:"react-flow__node"',
  'no-page': () => null,
};
const licences = {
  copyleft: 'AGPL-3.0-only',
  partly: '(MIT AND SSPL-1.0)',
  unlicensed: null,
  'no-reason': 'MIT',
  outlived: '(AGPL-3.0-only OR MIT)',
};

test('every check has a canary, and every canary an expectation', () => {
  assert.deepEqual(Object.keys(expected).sort(), checkNames());
  for (const name of readdirSync(canaries)) {
    for (const fixture of readdirSync(join(canaries, name)))
      assert.ok(expected[name][fixture], `${name}/${fixture}`);
  }
});

for (const [name, fixtures] of Object.entries(expected)) {
  for (const [fixture, [path, text]] of Object.entries(fixtures)) {
    test(`check ${name} finds the violation in ${fixture}`, async () => {
      const root = makeTree(name, fixture);
      const problems = await (await loadCheck(name))(root);
      const found = problems.filter((problem) => problem.path === path && text.test(problem.text));
      assert.notEqual(found.length, 0, JSON.stringify(problems, null, 2));
      const elsewhere = problems.filter((problem) => problem.path !== path);
      assert.deepEqual(elsewhere, [], 'only the violation is reported');
      assert.equal(found[0].warning === true, fixture === 'warned');
    });
  }
}

/** A copy of the fixture with the real configuration and the real packages around it, in a temporary folder. */
function makeTree(name, fixture) {
  const root = join(places, `${name}-${fixture}`);
  mkdirSync(root, { recursive: true });
  for (const file of [
    '.dependency-cruiser.cjs',
    '.oxlintrc.json',
    'biome.jsonc',
    'knip.jsonc',
    'pnpm-workspace.yaml',
    'tsconfig.base.json',
    'tsconfig.test.json',
  ]) {
    cpSync(join(repositoryRoot, file), join(root, file));
  }
  if (existsSync(join(canaries, name, fixture)))
    cpSync(join(canaries, name, fixture), root, { recursive: true });
  for (const folder of workspaceFolders(repositoryRoot)) {
    const manifest = join(root, folder, 'package.json');
    if (existsSync(join(root, folder)) && !existsSync(manifest))
      cpSync(join(repositoryRoot, folder, 'package.json'), manifest);
  }
  if (lengths[fixture])
    write(join(root, 'packages/model/src/long.ts'), `export {};\n${'//\n'.repeat(lengths[fixture] - 1)}`);
  if (fixture === 'checkout-path')
    write(join(root, 'scripts/run.mjs'), `export const place = '${root}/data';\n`);
  if (fixture === 'needless') write(join(root, 'packages/model/src/short.ts'), 'export {};\n');
  if (name === 'licences' && fixture in licences) installPackage(root, licences[fixture]);
  if (name === 'bundle' && fixture in builds) buildPages(root, builds[fixture]());
  linkPackages(root);
  return root;
}

/** What `next build` leaves of one page whose only chunk is `script`; null: of none. */
function buildPages(root, script) {
  const build = join(root, 'apps/web/.next');
  write(join(build, 'build-manifest.json'), JSON.stringify({ rootMainFiles: ['static/main.js'] }));
  write(join(build, 'static/main.js'), '');
  mkdirSync(join(build, 'server/app'), { recursive: true });
  if (script === null) return;
  write(join(build, 'static/page.js'), script);
  const manifest = { clientModules: { a: { chunks: ['/_next/static/page.js', '/_next/static/page.css'] } } };
  write(
    join(build, 'server/app/(pages)/hosts/page_client-reference-manifest.js'),
    `globalThis.__RSC_MANIFEST = {}; globalThis.__RSC_MANIFEST["/(pages)/hosts/page"] = ${JSON.stringify(manifest)};`,
  );
}

function installPackage(root, license) {
  const manifest = { name: 'odd', version: '1.0.0', ...(license ? { license } : {}) };
  write(join(root, 'node_modules/.pnpm/odd@1.0.0/node_modules/odd/package.json'), JSON.stringify(manifest));
}

/** node_modules of the repository, but with the fixture's own workspace packages in it. */
function linkPackages(root) {
  const installed = join(repositoryRoot, 'node_modules');
  const target = join(root, 'node_modules');
  mkdirSync(join(target, '@capstan'), { recursive: true });
  for (const entry of readdirSync(installed)) {
    if (entry !== '@capstan' && !entry.startsWith('.'))
      symlinkSync(join(installed, entry), join(target, entry));
  }
  for (const folder of workspaceFolders(root)) {
    symlinkSync(join(root, folder), join(target, '@capstan', folder.split('/').at(-1)));
    const own = join(repositoryRoot, folder, 'node_modules');
    if (!existsSync(own)) continue;
    for (const entry of readdirSync(own).filter((each) => each !== '@capstan' && !each.startsWith('.'))) {
      mkdirSync(join(root, folder, 'node_modules'), { recursive: true });
      symlinkSync(join(own, entry), join(root, folder, 'node_modules', entry));
    }
  }
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
