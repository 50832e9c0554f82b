import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { seriousInBothSchemes } from './axe.js';
import { FOREIGN_NAME, hasBrowser } from './chromium.js';
import { expect } from './expect.js';
import { openProduct } from './open-product.js';

const PAGES = ['', 'operations', 'new', 'hosts', 'nowhere'];

if (hasBrowser) {
  const open = openProduct();

  for (const locale of ['en-GB', 'ru-RU'])
    test(`[UX-X1] axe finds nothing serious on any page, light or dark: ${locale}`, async () => {
      const { page, allow } = await open().signIn({ locale });
      allow(/nowhere/);
      for (const path of PAGES) {
        await page.goto(open().product.url + path);
        await settled(page);
        assert.deepEqual(await seriousInBothSchemes(page), [], `/${path}`);
      }
      const visitor = await open().visit({ locale });
      await visitor.page.goto(`${open().product.url}sign-in`);
      await settled(visitor.page);
      assert.deepEqual(await seriousInBothSchemes(visitor.page), [], '/sign-in');
    });

  test('[UX-X3] no page but the canvas scrolls sideways at 320 px', async () => {
    const { page, allow } = await open().signIn({ viewport: { width: 320, height: 640 } });
    allow(/nowhere/);
    for (const path of PAGES) {
      await page.goto(open().product.url + path);
      await settled(page);
      const wide = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok((wide[0] ?? 0) <= (wide[1] ?? 0), `/${path}: ${wide.join(' > ')}`);
    }
  });

  test('[UX-S10] a page whose server does not answer says so, and goes on when it does again', async () => {
    const { page, allow } = await open().signIn();
    allow(/ERR_FAILED|Failed to fetch|graphql/);
    await page.route('**/graphql', (route) => route.abort());
    await page.getByTestId('nav-hosts').click();
    await expect(page.getByTestId('offline-state')).toBeVisible();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect(page.getByText('lab-1').first()).toBeVisible();
    await expect(page.getByTestId('offline-state')).toHaveCount(0);
  });

  test('a page under an address that the server does not expect says what to do', async () => {
    const { page, allow } = await open().visit();
    allow(/403/);
    const other = open().product.url.replace('127.0.0.1', FOREIGN_NAME);
    await page.goto(`${other}sign-in#${new URL(await open().newLink()).hash.slice(1)}`);
    await expect(page.getByTestId('sign-in-problem')).toContainText('CAPSTAN_PUBLIC_URL');
  });

  test('no page broke its policy, and none said an error', () => open().quiet());
}

/** Waits until a page shows what it has: no skeleton, and fonts and styles are there. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expect(page.getByTestId('loading-state')).toHaveCount(0);
}
