// `npm run check [-- NAME…]`. Parsable by Node 12, see launch/require-node.mjs.
import { requireNode } from './launch/require-node.mjs';

requireNode(() =>
  import('./launch/run-checks.mjs').then((module) => module.runChecks(process.argv.slice(2))),
);
