// `npm run bench -- NAME [--json]`. Parsable by Node 12, see launch/require-node.mjs.
import { requireNode } from './launch/require-node.mjs';

requireNode(() => import('./launch/run-bench.mjs').then((module) => module.runBench(process.argv.slice(2))));
