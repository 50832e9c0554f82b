// `npm start`. Parsable by Node 12, see launch/require-node.mjs.
import { requireNode } from './launch/require-node.mjs';

requireNode(() =>
  import('./launch/start-server.mjs').then((module) => module.startServer(process.argv.slice(2))),
);
