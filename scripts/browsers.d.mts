/** See browsers.mjs: names that a browser for tests may have, best first. */
export const BROWSERS: readonly string[];
