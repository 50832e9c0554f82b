import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { BROWSERS } from '../../scripts/browsers.mjs';
import { requireSuite } from '../../scripts/suites.mjs';

const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A name that leads the browser here, and that the server does not know. */
export const FOREIGN_NAME = 'capstan.test';

const executablePath = findBrowser();

/** Whether the tests of a file that needs a browser may be registered. */
export const hasBrowser = requireSuite(
  'browser',
  executablePath !== null,
  'no Chromium, Chrome or Edge is installed',
  'install Debian’s chromium-headless-shell or another Chromium, or name one in CAPSTAN_CHROMIUM',
);

interface Test {
  after(act: () => Promise<void> | void): void;
}

/** A browser of its own for one test file. */
export async function launchBrowser(t: Test): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      `--host-resolver-rules=MAP ${FOREIGN_NAME} 127.0.0.1`,
    ],
  });
  t.after(() => browser.close());
  return browser;
}

function findBrowser(): string | null {
  const named = process.env.CAPSTAN_CHROMIUM;
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [...BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC];
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // there is none of this name
  }
}
