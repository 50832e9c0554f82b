// `npm test`. Parsable by Node 12, see launch/require-node.mjs.
import { requireNode } from './launch/require-node.mjs';

requireNode(() => import('./launch/run-tests.mjs').then((module) => module.runTests(process.argv.slice(2))));
