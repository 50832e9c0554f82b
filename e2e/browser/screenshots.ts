// Draws docs/images anew: node --conditions=capstan-source --import ./scripts/swc-hook.mjs --test e2e/browser/screenshots.ts
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { hasBrowser } from './chromium.js';
import { expect } from './expect.js';
import { openProduct } from './open-product.js';

const FOLDER = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const SIZE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

/** What each picture shows. */
const SCENES = {
  home: (page: Page, url: string) => open(page, url),
  operations: (page: Page, url: string) => open(page, `${url}operations`),
  new: (page: Page, url: string) => open(page, `${url}new`),
  hosts: (page: Page, url: string) => open(page, `${url}hosts`),
  operation: (page: Page, url: string) => open(page, `${url}operations/op-1`),
  graph: seeGraph,
  async evidence(page: Page, url: string) {
    await seeGraph(page, url);
    await page.getByTestId('tab-evidence').click();
  },
  plan: seePlan,
};

const SETS = [
  {
    name: 'light',
    options: { colorScheme: 'light', viewport: SIZE },
    scenes: ['home', 'operations', 'operation', 'graph', 'evidence', 'plan', 'hosts'],
  },
  {
    name: 'dark',
    options: { colorScheme: 'dark', viewport: SIZE },
    scenes: ['operations', 'operation', 'graph'],
  },
  {
    name: 'russian',
    options: { colorScheme: 'light', viewport: SIZE, locale: 'ru-RU' },
    scenes: ['home', 'operation', 'plan', 'hosts'],
  },
  {
    name: 'phone-russian-dark',
    options: { colorScheme: 'dark', viewport: PHONE, locale: 'ru-RU' },
    scenes: ['operation'],
  },
] as const;

if (hasBrowser) {
  const product = openProduct();

  test('the pages as they look, with an operation that ran', async () => {
    mkdirSync(FOLDER, { recursive: true });
    const { url, cli } = product().product;
    const applied = await cli('apply', '-f', 'examples/postgres.yaml', '--yes', '--wait');
    if (applied.code !== 0) throw new Error(applied.stderr);
    for (const { name, options, scenes } of SETS) {
      const { page } = await product().signIn(options);
      for (const scene of scenes) {
        await SCENES[scene](page, url);
        await page.screenshot({ path: `${FOLDER}${scene}-${name}.png`, animations: 'disabled' });
      }
    }
    const { page } = await product().visit({ viewport: SIZE });
    await open(page, `${url}sign-in`);
    await page.screenshot({ path: `${FOLDER}sign-in-light.png` });
  });
}

/** Opens an address and waits until everything that it shows is there. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  // The first frame of an operation that is over is also its last.
  if (url.includes('/op-')) await expect(page.locator('[data-connection="done"]')).toBeVisible();
  await page.waitForTimeout(300);
}

async function seeGraph(page: Page, url: string): Promise<void> {
  await open(page, `${url}operations/op-1?view=graph`);
  await page.locator('[data-job-id]').nth(1).click();
  await expect(page.getByTestId('tab-evidence')).toBeVisible();
  await page.waitForTimeout(300);
}

/** The plan of another PostgreSQL, which nobody starts. */
async function seePlan(page: Page, url: string): Promise<void> {
  await open(page, `${url}new`);
  await page.locator('[data-scenario^="postgres.install@"]').getByRole('link').click();
  await page.locator('#new-environment').selectOption('lab');
  await page.getByRole('radio', { name: /lab-3/ }).check();
  await page.locator('#root_name').fill('another');
  await page.getByTestId('see-plan').click();
  await expect(page.getByTestId('plan-preview')).toBeVisible();
  await expect(page.locator('[data-job-id]').first()).toBeVisible();
  await page.waitForTimeout(300);
}
