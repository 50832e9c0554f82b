#!/usr/bin/env node
// `npx capstan`, from any folder of the checkout. Parsable by Node 12, see scripts/launch/require-node.mjs.
import { existsSync } from 'node:fs';
import { requireNode } from '../scripts/launch/require-node.mjs';

const main = new URL('../apps/cli/dist/main.js', import.meta.url);

requireNode(() => {
  if (!existsSync(new URL('../node_modules', import.meta.url)) || !existsSync(main)) {
    const text = 'run npm start once (it installs and builds)';
    console.error(text);
    if (process.argv.includes('--json')) {
      const problem = { file: null, line: null, column: null, code: 'not_built', expected: null, text };
      console.log(JSON.stringify({ problems: [problem] }));
    }
    process.exitCode = 1;
    return Promise.resolve();
  }
  return import(main.href);
});
