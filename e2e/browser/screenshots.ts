// Draws docs/images/*.png: node --conditions=capstan-source --import ./scripts/swc-hook.mjs --test e2e/browser/screenshots.ts
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { hasBrowser } from './chromium.js';
import { expect } from './expect.js';
import { openProduct } from './open-product.js';

const FOLDER = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const SIZE = { width: 1280, height: 800 };

if (hasBrowser) {
  const open = openProduct();

  test('the pages as they look, with two operations that ran', async () => {
    mkdirSync(FOLDER, { recursive: true });
    const { product, signIn } = open();
    for (const file of ['examples/postgres.yaml', 'examples/postgres.yaml']) {
      const applied = await product.cli('apply', '-f', file, '--yes', '--wait');
      if (applied.code !== 0) throw new Error(applied.stderr);
    }
    for (const [name, options] of [
      ['light', { colorScheme: 'light' }],
      ['dark', { colorScheme: 'dark' }],
      ['russian', { colorScheme: 'light', locale: 'ru-RU' }],
    ] as const) {
      const { page } = await signIn({ ...options, viewport: SIZE });
      const draw = async (what: string): Promise<void> => {
        await settled(page);
        await page.screenshot({ path: `${FOLDER}${what}-${name}.png`, animations: 'disabled' });
      };
      await draw('home');
      for (const path of ['operations', 'new', 'hosts', 'operations/op-1', 'operations/op-1?view=list']) {
        await page.goto(product.url + path);
        await draw(path.replace(/[/?=]/g, '-').replace('-op-1', '-one'));
      }
      await page.goto(`${product.url}operations/op-1?view=graph`);
      await expect(page.locator('[data-job-id]').first()).toBeVisible();
      await page.locator('[data-job-id]').nth(1).click();
      await draw('operation-graph');
      await page.getByTestId('tab-evidence').click();
      await draw('operation-evidence');
      await planned(page, product.url);
      await draw('plan');
    }
    const { page } = await open().visit({ viewport: SIZE });
    await page.goto(`${product.url}sign-in`);
    await settled(page);
    await page.screenshot({ path: `${FOLDER}sign-in-light.png` });
    const phone = await signIn({
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
      locale: 'ru-RU',
    });
    await phone.page.goto(`${product.url}operations/op-1`);
    await settled(phone.page);
    await phone.page.screenshot({ path: `${FOLDER}operation-phone-russian.png` });
  });
}

/** The plan of another PostgreSQL, which nobody starts. */
async function planned(page: Page, url: string): Promise<void> {
  await page.goto(`${url}new`);
  await page.locator('[data-scenario^="postgres.install@"]').getByRole('link').click();
  await page.locator('#new-environment').selectOption('lab');
  await page.getByRole('radio', { name: /lab-3/ }).check();
  await page.locator('#root_name').fill('another');
  await page.getByTestId('see-plan').click();
  await expect(page.getByTestId('plan-preview')).toBeVisible();
  await expect(page.locator('[data-job-id]').first()).toBeVisible();
}

async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  // The first frame of an operation that is over is also its last.
  if (/operations\/op-/.test(page.url()))
    await expect(page.locator('[data-connection="done"]')).toBeVisible();
  await page.waitForTimeout(500);
}
