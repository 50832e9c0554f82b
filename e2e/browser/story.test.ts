import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import pg from 'pg';
import type { Product } from '../product.js';
import { hasBrowser } from './chromium.js';
import { expect } from './expect.js';
import { openProduct } from './open-product.js';

/** Half a minute on an idle machine. */
const OPERATION_MS = 180_000;

if (hasBrowser) {
  const open = openProduct();

  test('the story: sign in, choose PostgreSQL, read the plan, start, watch it proven, reveal the password, connect', async () => {
    const { page } = await open().signIn();
    await page.getByTestId('try-postgresql').getByRole('link').click();
    await page.locator('[data-scenario^="postgres.install@"]').getByRole('link').click();
    await page.getByLabel('Environment').selectOption('lab');
    await page.getByRole('radio', { name: /lab-1/ }).check();
    await page.locator('#root_name').fill('main');
    await page.getByTestId('see-plan').click();

    const preview = page.getByTestId('plan-preview');
    await expect(preview).toBeVisible();
    const planned = await page.locator('[data-job-id]').count();
    assert.ok(planned > 3, `${planned} jobs are drawn before anything runs`);
    await expect(page.getByTestId('bindings')).toBeVisible();
    await page.getByTestId('start').click();

    await expect(page).toHaveURL(/\/operations\/op-\d+/);
    await rememberPhases(page);
    await expect(page.locator('[data-status="succeeded"]').first()).toBeVisible({ timeout: OPERATION_MS });
    await expect(page.getByTestId('result')).toBeVisible({ timeout: OPERATION_MS });
    assertOneByOne(await phases(page));

    await seeEvidence(page);
    await page.goBack();
    await connect(open().product, await reveal(page));
  });

  test('the same in Russian, dark, with the keyboard alone', async () => {
    const { page } = await open().signIn({ locale: 'ru-RU', colorScheme: 'dark' });
    const keys = keyboard(page);
    await keys.reach((name) => name.startsWith('Выбрать сценарий'));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/new$/);
    await expect(page.locator('[data-scenario^="postgres.install@"]')).toBeVisible();
    const title = await page.locator('[data-scenario^="postgres.install@"] h2').textContent();
    await keys.reach((name) => name.trim() === (title ?? '').trim());
    await page.keyboard.press('Enter');
    await expect(page.locator('#root_name')).toBeVisible();
    await keys.reachElement('#new-environment');
    await page.keyboard.type('lab');
    await keys.reachElement('#new-hosts input[type="radio"]');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: /lab-2/ })).toBeChecked();
    await keys.reachElement('#root_name');
    await page.keyboard.type('second');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('plan-preview')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await keys.reachElement('[data-testid="start"]');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/operations\/op-\d+/);
    await expect(page.getByTestId('result')).toBeVisible({ timeout: OPERATION_MS });
    await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
    await keys.reachElement('[data-testid="reveal-database_password"]');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByTestId('confirm-reveal')).toBeFocused();
    // [UX-X2] Out of the dialog the focus is where it came from.
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('reveal-database_password')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('confirm-reveal')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('revealed-value')).toHaveText(/.{12,}/);
  });

  test('no page broke its policy, and none said an error', () => open().quiet());
}

/** Opens the details at a step and looks at what was checked, expected and seen. */
async function seeEvidence(page: Page): Promise<void> {
  await page.getByTestId('show-details').click();
  await expect(page).toHaveURL(/view=graph/);
  await expect(page.locator('[data-job-id][data-status="succeeded"]').first()).toBeVisible();
  await page.getByTestId('tab-evidence').click();
  const evidence = page.getByTestId('evidence');
  await expect(evidence).toBeVisible();
  await expect(evidence).toContainText('stand-in');
}

/** The password, after the page asked whether somebody really wants to see it. */
async function reveal(page: Page): Promise<string> {
  await page.getByTestId('reveal-database_password').click();
  await page.getByTestId('confirm-reveal').click();
  return (await page.getByTestId('revealed-value').textContent()) ?? '';
}

/** A PostgreSQL client outside of everything takes the password that the page showed. */
async function connect(product: Product, password: string): Promise<void> {
  const { resources } = (await product.cli('get', 'resources', '--json')).json<{
    readonly resources: readonly {
      readonly key: string;
      readonly facts: readonly {
        readonly capability: string;
        readonly attributes: {
          readonly host: string;
          readonly port: number;
          readonly database: string;
          readonly user: string;
        };
      }[];
    }[];
  }>();
  const facts = resources.find(({ key }) => key === 'postgres/main')?.facts ?? [];
  const fact = facts.find(({ capability }) => capability === 'database.postgresql');
  assert.ok(fact, JSON.stringify(resources));
  const { host, port, database, user } = fact.attributes;
  const client = new pg.Client({ host, port, database, user, password });
  await client.connect();
  const { rows } = await client.query('select 6 * 7 as answer');
  await client.end();
  assert.deepEqual(rows, [{ answer: 42 }]);
}

/** Has the page remember every state of its list of phases. */
async function rememberPhases(page: Page): Promise<void> {
  await expect(page.locator('[data-stage-id]').first()).toBeVisible();
  await page.evaluate(() => {
    const seen: string[][] = [];
    Object.assign(window, { seenPhases: seen });
    const look = () => {
      const now = [...document.querySelectorAll('[data-stage-id]')].map(
        (phase) => phase.getAttribute('data-status') ?? '',
      );
      if (now.length > 0 && now.join() !== seen.at(-1)?.join()) seen.push(now);
    };
    look();
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-status'],
    });
  });
}

function phases(page: Page): Promise<string[][]> {
  return page.evaluate(() => (window as unknown as { seenPhases: string[][] }).seenPhases);
}

/** The phases became green in their order, without a reload, and never two before one was seen. */
function assertOneByOne(seen: readonly string[][]): void {
  const green = seen.map((states) => states.filter((state) => state === 'succeeded').length);
  assert.deepEqual(
    [...green].sort((a, b) => a - b),
    green,
    'no phase goes back',
  );
  assert.equal(green.at(-1), seen.at(-1)?.length, 'all are green in the end');
  assert.ok(new Set(green).size >= 3, `seen one by one: ${green.join(' ')}`);
}

/** Goes through a page by Tab alone. */
function keyboard(page: Page) {
  const until = async (isThere: () => Promise<boolean>, what: string): Promise<void> => {
    for (let presses = 0; presses < 120; presses += 1) {
      if (await isThere()) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${what} is not reached by Tab`);
  };
  return {
    reach: (matches: (name: string) => boolean) =>
      until(
        async () => matches(await page.evaluate(() => document.activeElement?.textContent ?? '')),
        String(matches),
      ),
    async reachElement(selector: string) {
      await expect(page.locator(selector).first()).toBeVisible();
      await until(
        () => page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector),
        selector,
      );
    },
  };
}
