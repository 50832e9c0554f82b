import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../product.js';
import { seriousFindings } from './axe.js';
import { hasBrowser } from './chromium.js';
import { expect } from './expect.js';
import { openProduct } from './open-product.js';

if (hasBrowser) {
  const open = openProduct({ CAPSTAN_PACKS: join(ROOT, 'e2e/browser/packs') });

  async function begin(action: 'make' | 'break', name: string, host: string): Promise<void> {
    const file = join(open().product.data, `${name}.yaml`);
    const size = action === 'make' ? ', size: small' : '';
    writeFileSync(
      file,
      `intent: {action: ${action}, target_resource_type: choice, desired_result: {name: ${name}${size}}, hosts: [${host}]}`,
    );
    const { code, stderr } = await open().product.cli('apply', '-f', file, '--yes');
    assert.equal(code, 0, stderr);
  }

  test('[UX-S10] a list without operations leads to the scenarios', async () => {
    const { page } = await open().signIn();
    await page.goto(`${open().product.url}operations`);
    await expect(page.getByTestId('empty-state')).toContainText('Nothing has run here yet');
    await page.getByRole('link', { name: 'Choose a scenario' }).click();
    await expect(page).toHaveURL(/\/new$/);
  });

  test('[UX-S4] what needs a person comes by itself, stands first, and is counted in the title', async () => {
    const { page } = await open().signIn();
    await page.goto(`${open().product.url}operations`);
    await begin('make', 'fine', 'lab-1');
    const cards = page.getByTestId('operation-card');
    await expect(cards.filter({ hasText: 'Make choices' })).toContainText('Done', { timeout: 20_000 });
    await begin('break', 'broken', 'lab-2');
    await begin('make', 'later', 'lab-1');
    const broken = cards.first();
    await expect(broken).toContainText('Break something', { timeout: 20_000 });
    await expect(broken.getByRole('heading')).toHaveText('Break something: choice/broken');
    await expect(broken).toHaveAttribute('data-attention', 'true');
    await expect(page).toHaveTitle('(1) Operations · Capstan');
    await expect(cards).toHaveCount(3);
    await expect(cards.filter({ hasText: 'Make choices' }).first()).toContainText('1 of 1 phase');
    assert.deepEqual(await seriousFindings(page), []);
  });

  test('[UX-S1] a card has no ids, no document and no remaining time without ground', async () => {
    const { page } = await open().signIn();
    await page.goto(`${open().product.url}operations?show=done`);
    const card = page.getByTestId('operation-card').first();
    await expect(card).toBeVisible();
    const words = (await card.textContent()) ?? '';
    assert.doesNotMatch(words, /op[-_]\d|[0-9a-f]{8}-|lab-\d|Estimated remaining/);
    await page.reload();
    await expect(page.getByRole('link', { name: 'Over' })).toHaveAttribute('aria-current', 'page');
  });

  test('trying again says what it will do first, and is done from the card', async () => {
    const { page } = await open().signIn();
    await page.goto(`${open().product.url}operations?show=attention`);
    await page.getByRole('button', { name: 'Try again: Break something' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Fail');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect(dialog).toBeHidden();
    const { stdout } = await open().product.cli('get', 'operations', '--json');
    assert.match(stdout, /choice\/broken|Break something/);
  });

  test('[UX-R6] a list that gets no answers says as of when it is, and goes on when it can', async () => {
    const { page, context, allow } = await open().signIn();
    allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket/);
    await page.goto(`${open().product.url}operations`);
    await expect(page.getByTestId('operation-card').first()).toBeVisible();
    await context.setOffline(true);
    await expect(page.getByTestId('as-of')).toContainText('As of', { timeout: 15_000 });
    await expect(page.getByTestId('offline-state')).toBeVisible();
    await expect(page.getByTestId('operation-card').first()).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByTestId('as-of')).toBeHidden({ timeout: 15_000 });
  });

  test('[UX-S5] [UX-X4] cards in Russian and dark fit 320 px with targets that can be hit', async () => {
    const viewport = { width: 320, height: 640 };
    const { page } = await open().signIn({ locale: 'ru-RU', colorScheme: 'dark', viewport });
    await page.goto(`${open().product.url}operations`);
    const card = page.getByTestId('operation-card').filter({ hasText: 'Сделать выбор' }).first();
    await expect(card).toContainText('1 из 1 этапа');
    await expect(card).toContainText('Нужно внимание');
    const [scroll = 0, client = 0] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(scroll <= client, `scrolls sideways: ${scroll} > ${client}`);
    for (const button of await page
      .getByTestId('operation-card')
      .locator('a[role=button], button, a.mantine-Button-root')
      .all()) {
      const box = await button.boundingBox();
      assert.ok(box !== null && box.height >= 40 && box.width >= 44, JSON.stringify(box));
    }
    assert.deepEqual(await seriousFindings(page), []);
  });

  test('no page broke its policy, and none said an error', () => open().quiet());
}
