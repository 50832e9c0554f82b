import type { Statement } from './statement.js';

/** Gives an operation back. $1 operation, $2 owner, $3 counter: a later lease is left alone. */
export const RELEASE: Statement = {
  name: 'release',
  text: `update operations set driver = null, driver_lease_until = null where id = $1 and driver = $2 and driver_fence = $3`,
};
