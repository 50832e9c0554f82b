/**
 * Names that a browser for tests may have, best first. The shell is the same engine without a window's own user interface,
 * which cost as much as the pages did (sign-in.test.ts: 26 s of processor time against 48 s).
 */
export const BROWSERS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];
