// The arrows between the packages. Each rule says why it is there; every exception belongs here with its reason.
// The parser must stay 'swc': under TypeScript 7 the default parser finds no modules at all and passes.

const unitTest = '[.]test(-support)?[.]tsx?$';
const testCode = `${unitTest}|^packages/[^/]+/test/`;
const workspace = '^(packages/[^/]+|apps/[^/]+|schema)/';

/** Production code of one package may import, of this workspace, only itself and the named packages. */
function arrow(folder, allowed, why) {
  const targets = [folder, ...allowed].map((name) => (name.includes('/src') ? name : `${name}/`)).join('|');
  return {
    name: `arrow-${folder.split('/').pop()}`,
    comment: why,
    severity: 'error',
    from: { path: `^${folder}/`, pathNot: testCode },
    to: { path: workspace, pathNot: `^(${targets})` },
  };
}

/** Production code of one package may import from npm only the named packages. */
function external(folder, allowed, why) {
  return {
    name: `external-${folder.split('/').pop()}`,
    comment: why,
    severity: 'error',
    from: { path: `^${folder}/`, pathNot: testCode },
    to: {
      dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
      pathNot: [workspace, ...allowed.map((name) => `node_modules/${name}/`)],
    },
  };
}

module.exports = {
  forbidden: [
    arrow(
      'packages/model',
      [],
      'model is what every side agrees on and runs in the browser: it knows nobody.',
    ),
    arrow('packages/planner', ['packages/model'], 'A plan is a pure function of what it is given.'),
    arrow('schema', [], 'The schemas are data; whoever reads them depends on them, never the reverse.'),
    arrow(
      'packages/catalog',
      ['packages/model', 'schema'],
      'Reading a pack must not need a planner, an engine or a database.',
    ),
    arrow(
      'packages/engine',
      ['packages/model', 'packages/planner'],
      'The engine names what it needs in ports; adapters come to it.',
    ),
    arrow(
      'packages/postgres',
      ['packages/model', 'packages/engine'],
      'Storage knows the ports it fills and no other adapter.',
    ),
    arrow(
      'packages/ssh',
      ['packages/model', 'packages/engine'],
      'Reaching hosts knows the ports it fills and no other adapter.',
    ),
    arrow(
      'packages/lab',
      ['packages/model'],
      'Hosts to try on must stand in for real ones, so they share no code with what drives them.',
    ),
    arrow(
      'apps/server',
      ['packages/(model|planner|catalog|engine|postgres|ssh|lab)', 'schema'],
      'The server wires everything; it does not reach into another app.',
    ),
    arrow(
      'apps/cli',
      ['packages/(model|catalog|planner)', 'schema', 'packages/engine/src/testing/'],
      'The CLI is a client of the API; offline it plans and simulates, it never stores or connects.',
    ),
    arrow(
      'apps/web',
      ['packages/model'],
      'The pages are a client of the API: what they shared with the server would be a second API.',
    ),
    {
      name: 'lab-only-for-start',
      comment: 'Simulated hosts must not leak into the way real ones are driven.',
      severity: 'error',
      from: {
        path: '^(packages|apps)/',
        pathNot: `${testCode}|^packages/lab/|^apps/server/|^apps/[^/]+/test/`,
      },
      to: { path: '^packages/lab/' },
    },
    {
      name: 'tests-know-no-apps',
      comment: 'A package whose tests need an app is not tested alone; such tests belong to e2e/.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'pure',
      comment: 'No clock, no random, no file: the same input must give the same bytes, also in a browser.',
      severity: 'error',
      from: { path: '^packages/(model|planner)/src/', pathNot: unitTest },
      to: { dependencyTypes: ['core'] },
    },
    external(
      'packages/model',
      ['@noble/hashes', 'semver', '@types/semver'],
      'Two small packages, both pure.',
    ),
    external('packages/planner', [], 'Everything that the planner needs reaches it as a value or a port.'),
    external('packages/engine', [], 'Drivers and frameworks stay behind ports, so tests run on memory ones.'),
    {
      name: 'fence-graphql',
      comment: 'type-graphql is a release candidate: one folder to rewrite, should it be abandoned.',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: `^apps/server/src/graphql/|${testCode}` },
      to: { path: 'node_modules/(type-graphql|graphql-scalars)/' },
    },
    {
      name: 'no-cycle',
      comment: 'Files that import each other in a ring can only be understood and initialised together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...[
      ['^packages/([^/]+)/src/', '^packages/$1/src/index[.]ts$'],
      ['^schema/src/', '^schema/src/index[.]ts$'],
    ].map(([from, to]) => ({
      name: 'no-own-index',
      comment: 'The index is for others; from inside it makes a ring of the whole package.',
      severity: 'error',
      from: { path: from },
      to: { path: to },
    })),
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere would hide from every rule above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared',
      comment: 'What runs in production stands in the dependencies of its own package.json.',
      severity: 'error',
      from: { path: '^(packages|apps|schema)/[^/]*/?src/', pathNot: testCode },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: workspace },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|[.]next|canaries)/|^apps/web/next-env[.]d[.]ts$' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['capstan-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts', '.d.mts'],
    },
  },
};
