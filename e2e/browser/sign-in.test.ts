import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { hasBrowser } from './chromium.js';
import { expect } from './expect.js';
import { openProduct } from './open-product.js';

if (hasBrowser) {
  const open = openProduct({ CAPSTAN_LAB: 'none' });

  test('the printed link signs in once, leaves no code in the address, and says so the second time', async () => {
    const first = await open().visit();
    await first.page.goto(open().link);
    await expect(first.page.getByRole('heading', { level: 1 })).toHaveText('What to try first');
    assert.doesNotMatch(first.page.url(), /#/);
    const [cookie] = await first.context.cookies();
    assert.ok(cookie?.httpOnly && cookie.sameSite === 'Lax', JSON.stringify(cookie));

    const second = await open().visit();
    second.allow(/401/);
    await second.page.goto(open().link);
    await expect(second.page.getByTestId('sign-in-problem')).toContainText('used already');
  });

  test('a page that needs a session leads to the sign-in and, after it, back', async () => {
    const { page } = await open().visit();
    await page.goto(`${open().product.url}operations?view=list`);
    await expect(page).toHaveURL(/\/sign-in/);
    const code = new URL(await open().newLink()).hash.slice(1);
    await page.getByRole('textbox').fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/operations\?view=list$/);
  });

  test('sign-out ends the session for every tab', async () => {
    const { page, context, allow } = await open().signIn();
    allow(/401/);
    const other = await context.newPage();
    await other.goto(`${open().product.url}hosts`);
    await page.getByTestId('sign-out').click();
    await expect(page).toHaveURL(/\/sign-in$/);
    await other.reload();
    await expect(other).toHaveURL(/\/sign-in/);
  });

  test('[UX-X2] by keyboard alone: sign in, skip to the navigation, open each place', async () => {
    const { page } = await open().visit();
    await page.goto(`${open().product.url}sign-in`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('textbox')).toBeFocused();
    await page.keyboard.type(new URL(await open().newLink()).hash.slice(1));
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('try-postgresql')).toBeVisible();
    for (const [place, heading] of [
      ['Operations', /Operations/],
      ['New', /./],
      ['Hosts', /Hosts/],
    ] as const) {
      await follow(page, place);
      await expect(page).toHaveURL(new RegExp(`/${place.toLowerCase()}$`));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect(page).toHaveTitle(/· Capstan$/);
    }
  });

  test('[UX-X5] the language is that of the browser until somebody chooses; addresses hold none', async () => {
    const { page } = await open().signIn({ locale: 'ru-RU' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('С чего начать');
    await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
    await page.getByText('EN', { exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('What to try first');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    assert.equal(new URL(page.url()).pathname, '/');
  });

  test('no page broke its policy, and none said an error', () => open().quiet());

  /** Reaches a place of the navigation by Tab alone, from the skip links on. */
  async function follow(page: Page, place: string): Promise<void> {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => document.activeElement?.textContent ?? '');
      if (name === 'Skip to the navigation') await page.keyboard.press('Enter');
      if (name.startsWith(place)) return page.keyboard.press('Enter');
    }
    assert.fail(`${place} is not reached by Tab`);
  }
}
