// Before `npm start`, whose `exec` (npm forwards signals to its direct child only) the shell of Windows lacks.
// Parsable by Node 12, see launch/require-node.mjs.
import { requireNode } from './launch/require-node.mjs';

requireNode(() => Promise.resolve());
