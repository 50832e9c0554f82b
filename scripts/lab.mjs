// `npm run lab -- VERB …`. Parsable by Node 12, see launch/require-node.mjs.
import { requireNode } from './launch/require-node.mjs';

requireNode(() => import('./launch/lab.mjs').then((module) => module.runLab(process.argv.slice(2))));
