import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { dataFolder, type Product, startProduct, type Test } from '../product.js';
import { launchBrowser } from './chromium.js';
import { expect } from './expect.js';

/** A running product with a browser beside it. */
export interface OpenProduct {
  readonly product: Product;
  readonly browser: Browser;
  /** The link that it printed; works once. */
  readonly link: string;
  /** A link as `npx capstan sign-in` prints it, without the process. */
  newLink(): Promise<string>;
  /** A fresh browser profile, signed in through a link of its own, on the first page. */
  signIn(options?: BrowserContextOptions): Promise<SignedIn>;
  /** Fails when any page so far broke its policy or said an error on the console: the last test of a file. */
  quiet(): Promise<void>;
  /** A fresh profile, not signed in. */
  visit(options?: BrowserContextOptions): Promise<SignedIn>;
}

export interface SignedIn {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What a test expects to be said on the console; everything else fails it. */
  allow(pattern: RegExp): void;
}

/**
 * A product and a browser for all tests of the file that calls this at its top: started before the first, ended after the
 * last one, the browser first. Node's own `t.after` would end them in the order of their start.
 */
export function openProduct(env: Record<string, string> = {}): () => OpenProduct {
  const ends: (() => Promise<void> | void)[] = [];
  let open: OpenProduct | null = null;
  before(async () => {
    open = await start({ after: (act) => void ends.unshift(act) }, env);
  });
  // A page that stays open goes on asking and drawing: seven of them took half of the machine.
  afterEach(async () => {
    for (const context of open?.browser.contexts() ?? []) await context.close();
  });
  after(async () => {
    for (const end of ends) await end();
  });
  return () => {
    assert.ok(open, 'only inside of tests');
    return open;
  };
}

async function start(t: Test, env: Record<string, string>): Promise<OpenProduct> {
  const product = await startProduct(t, dataFolder(t), env);
  const link = /^Sign in once: (\S+)$/m.exec(product.output())?.[1];
  assert.ok(link, `no sign-in link: are the pages built?\n${product.output()}`);
  const browser = await launchBrowser(t);
  const noise: string[] = [];
  const newLink = async (): Promise<string> => {
    const answer = await fetch(new URL('auth/codes', product.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token(product)}` },
    });
    const { data } = (await answer.json()) as { data: { url: string } };
    return data.url;
  };
  const visit = async (options: BrowserContextOptions = {}): Promise<SignedIn> => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
    const page = await context.newPage();
    const allowed: RegExp[] = [];
    listen(page, (line) => {
      if (!allowed.some((pattern) => pattern.test(line))) noise.push(line);
    });
    return { context, page, allow: (pattern) => void allowed.push(pattern) };
  };
  return {
    product,
    browser,
    link,
    newLink,
    visit,
    async quiet() {
      assert.deepEqual(noise, [], 'nothing is said on the console');
      assert.equal(await cspReports(product.url), 0, 'no page broke its content security policy');
    },
    async signIn(options) {
      const one = await visit(options);
      await one.page.goto(await newLink());
      await expect(one.page.getByTestId('try-postgresql')).toBeVisible();
      return one;
    },
  };
}

function token({ data }: Product): string {
  const { tokenFile } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')) as { tokenFile: string };
  return readFileSync(tokenFile, 'utf8').trim();
}

/** How many reports of broken policies the server has counted. */
async function cspReports(url: string): Promise<number> {
  const metrics = await (await fetch(new URL('metrics', url))).text();
  return Number(/^capstan_csp_reports_total (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
}

function listen(page: Page, say: (line: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error') say(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => say(String(error.stack ?? error)));
}
