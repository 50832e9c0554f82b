// Runs TypeScript sources of the workspace under plain node, for tests and development.
// Type stripping is not enough here: decorators need their metadata, which swc emits and esbuild-based runners do not.
// pnpm links workspace packages, so their real path lies outside node_modules and passes the check in load().
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const options = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: false,
      react: { runtime: 'automatic' },
    },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
  swcrc: false,
};

/** `./x.js` is `./x.ts` for a source that imports it, and for a worker or child process started from sources. */
export async function resolve(specifier, context, next) {
  if (/^(\.|file:)/.test(specifier) && specifier.endsWith('.js')) {
    const asked = new URL(specifier, context.parentURL);
    const source = new URL(asked.href.replace(/\.js$/, '.ts'));
    const isSource = context.parentURL?.endsWith('.ts') || !existsSync(asked);
    if (isSource && existsSync(source)) return next(source.href, context);
  }
  // The web app writes no suffix: its bundler does not read `.js` as `.ts`.
  if (specifier.startsWith('.') && /\/apps\/web\/.*\.tsx?$/.test(context.parentURL ?? '')) {
    const source = ['.ts', '.tsx'].map((end) => new URL(specifier + end, context.parentURL)).find(existsSync);
    if (source) return next(source.href, context);
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url) || url.includes('/node_modules/')) return next(url, context);
  const filename = fileURLToPath(url);
  const parser = { ...options.jsc.parser, tsx: url.endsWith('.tsx') };
  const { code } = await transform(await readFile(filename, 'utf8'), {
    ...options,
    jsc: { ...options.jsc, parser },
    filename,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
