import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, workspaceFolders } from '../launch/repository.mjs';

const code = /\.(ts|tsx|mjs|cjs|js|sh|sql|ya?ml)$/;
const test = /\.test\.(ts|mjs)$/;
const environmentReaders =
  /^(packages\/(model|planner|catalog|engine|postgres|ssh)\/src\/|apps\/server\/src\/(?!config))/;

/**
 * Line rules: `name` is what a `check-allow NAME: reason` comment on the line, or on the one above it, may excuse.
 */
const lineRules = [
  {
    name: 'localhost',
    files: code,
    pattern: /:\/\/localhost|['"`]localhost(?::\d+)?['"`]|@localhost\b/,
    text: 'write 127.0.0.1: localhost may be ::1, or missing',
  },
  {
    name: 'home-path',
    files: /./,
    // Its hosts have accounts of their own, made in a namespace.
    except: /^packages\/ssh\/test\//,
    pattern: /(?:^|[\s'"`(=:])(?:\/home\/(?!capstan\b)[a-z]|\/Users\/[A-Za-z])/,
    text: 'a path of some machine (hosts of ours use /root and /home/capstan)',
  },
  {
    name: 'left-out-test',
    files: test,
    pattern:
      /\b(?:test|it|describe|suite)\.(?:only|skip|todo)\b|\b(?:test|it|describe|suite)\([^\n]*\{[^\n}]*\b(?:only|skip|todo)\s*:|\bt\.(?:skip|todo)\(/,
    text: 'a test that is left out, or leaves the others out; see scripts/suites.mjs for absent suites',
  },
  {
    name: 'suppression',
    files: code,
    pattern:
      /@ts-ignore|@ts-nocheck|@ts-expect-error(?!\s*[:–-]?\s*\S.{9})|(?:oxlint|eslint)-disable(?!.* -- \S.{9})/,
    text: 'a suppression without a reason (use @ts-expect-error with one)',
  },
  {
    name: 'todo',
    files: code,
    pattern: /\b(?:TODO|FIXME|XXX)\b/,
    text: 'finish it, or say in the docs what is not built',
  },
  {
    name: 'environment',
    files: environmentReaders,
    except: test,
    pattern: /\bprocess\.env\b/,
    text: 'only the configuration of an app reads the environment; take the value as an option',
  },
];

/** What no tool looks for: addresses, private paths, tests left out, unexplained suppressions, public packages. */
export async function run(root) {
  const files = listFiles(root).filter((file) =>
    /\.(ts|tsx|mjs|cjs|js|json|ya?ml|sh|sql|md)$|^\.ci\/run$/.test(file),
  );
  return [
    ...files.filter((file) => !file.endsWith('hygiene.mjs')).flatMap((file) => lineProblems(root, file)),
    ...manifestProblems(root),
    ...registryProblems(root),
  ];
}

function lineProblems(root, file) {
  const rules = [...lineRules, checkoutRule(root)].filter(
    (rule) => rule.files.test(file) && !rule.except?.test(file),
  );
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((content, index) =>
    rules
      .filter((rule) => rule.pattern.test(content) && !isAllowed(rule.name, content, lines[index - 1] ?? ''))
      .map((rule) => ({ path: file, line: index + 1, text: `${rule.name}: ${rule.text}` })),
  );
}

/** The path of this very checkout is always a slip, wherever it lies. */
function checkoutRule(root) {
  const literal = root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return {
    name: 'checkout-path',
    files: /./,
    pattern: new RegExp(`${literal}(?![\\w-])`),
    text: 'the path of this checkout',
  };
}

function isAllowed(name, ...lines) {
  return lines.some((content) => new RegExp(`check-allow ${name}: \\S.{9}`).test(content));
}

/** A package that is not private could be published, or asked for, by a name that others may claim. */
function manifestProblems(root) {
  return ['.', ...workspaceFolders(root)]
    .map((folder) => (folder === '.' ? 'package.json' : `${folder}/package.json`))
    .filter((file) => existsSync(join(root, file)))
    .filter((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).private !== true)
    .map((file) => ({ path: file, text: 'private: "private": true is missing' }));
}

/** An address in the lockfile or .npmrc would tie every installation to one registry. */
function registryProblems(root) {
  return ['pnpm-lock.yaml', '.npmrc']
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .map((content, index) => ({ content, line: index + 1 }))
        .filter(({ content }) => /https?:\/\/|^\s*tarball:|^registry\s*=/.test(content))
        .map(({ line }) => ({
          path: file,
          line,
          text: 'registry: an address; the registry is the choice of each machine',
        })),
    );
}
