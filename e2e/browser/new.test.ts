import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { ROOT } from '../product.js';
import { seriousFindings } from './axe.js';
import { hasBrowser } from './chromium.js';
import { expect } from './expect.js';
import { openProduct } from './open-product.js';

const CHOICES = `new/${encodeURIComponent('choice.make@1.0.0')}`;

if (hasBrowser) {
  const open = openProduct({ CAPSTAN_PACKS: join(ROOT, 'e2e/browser/packs') });

  test('[V18] an untouched choice is not sent, a required one is asked for, falsy defaults are kept', async () => {
    const { page } = await open().signIn();
    const sent = listenFor(page);
    await page.goto(open().product.url + CHOICES);
    await expect(page.locator('#root_size')).toHaveValue('');
    await expect(page.locator('#root_speed')).toHaveValue('');
    await page.getByTestId('see-plan').click();
    await expect(page.locator('#root_size')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.locator('[data-parameter="size"]')).toContainText('This is needed');
    await expect(page.locator('[data-parameter="speed"]')).not.toContainText('This is needed');
    assert.equal(sent.length, 0, 'nothing was asked of the planner');

    await fillChoices(page, 'untouched');
    await page.getByTestId('see-plan').click();
    await expect(page.getByTestId('plan-preview')).toBeVisible();
    const intent = sent.at(-1)?.intent;
    assert.deepEqual(intent, {
      intent: {
        action: 'make',
        target_resource_type: 'choice',
        desired_result: { name: 'untouched', zero: 0, off: false, empty: '', size: 'large' },
        constraints: { environment: 'lab' },
        hosts: ['lab-1'],
      },
    });

    await page.getByRole('tab', { name: 'Parameters' }).click();
    await expect(page.getByTestId('plan-parameters')).toHaveText('empty""offfalsesizelargezero0');
    await page.getByRole('tab', { name: 'As a file' }).click();
    const file = join(open().product.data, 'intent.yaml');
    writeFileSync(file, (await page.getByTestId('intent-yaml').textContent()) ?? '');
    const checked = await open().product.cli('check', '--json', file);
    const [fromFile] = checked.json<{ documents: { normal: unknown }[] }>().documents;
    assert.deepEqual(fromFile?.normal, intent, 'the file on the page says the same');
    assert.deepEqual(await normalForm(page, intent), intent, 'and it is the normal form already');
  });

  test('[UX-S8] neither "back" nor a reload loses what was typed', async () => {
    const { page } = await open().signIn();
    await page.goto(open().product.url + CHOICES);
    await fillChoices(page, 'kept');
    await page.getByLabel('Shape').fill('{"side": ');
    await page.getByLabel('Shape').blur();
    await expect(page.locator('[data-parameter="shape"]')).toContainText('This is not JSON yet');
    await page.reload();
    await expect(page.getByLabel('Name')).toHaveValue('kept');
    await expect(page.getByLabel('Shape')).toHaveValue('{"side": ');
    await page.getByLabel('Shape').fill('{"side": 2}');
    await page.getByRole('button', { name: 'Add a value' }).click();
    await page.locator('#root_tags_0').fill('ab');
    await page.getByTestId('see-plan').click();
    await expect(page.getByTestId('plan-preview')).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel('Name')).toHaveValue('kept');
    await expect(page.locator('#root_tags_0')).toHaveValue('ab');
    await expect(page.getByRole('radio', { name: /lab-1/ })).toBeChecked();
    await expect(page.getByRole('button', { name: 'Remove value 1' })).toBeVisible();
  });

  test('a plan says what each step needs and gives, and why each provider was chosen [L7]', async () => {
    const { page } = await open().signIn();
    await page.goto(open().product.url + CHOICES);
    await fillChoices(page, 'why');
    await page.getByTestId('see-plan').click();
    await page.locator('[data-job-id]', { hasText: 'Leave a mark' }).click();
    const contract = page.getByTestId('job-contract');
    await expect(contract).toContainText('ssh.access');
    await expect(contract).toContainText('choice.made');
    await expect(contract).toContainText('marked');
    await expect(page.getByTestId('bindings').first()).toContainText('ssh.access');
    await page.getByText('List', { exact: true }).click();
    await expect(page.getByRole('treegrid')).toContainText('Leave a mark');
  });

  test('a double click starts one operation, and the draft is gone with it', async () => {
    const { page } = await open().signIn();
    const sent = listenFor(page);
    await page.goto(open().product.url + CHOICES);
    await fillChoices(page, 'once');
    await page.getByTestId('see-plan').click();
    await page.getByTestId('start').dblclick();
    await expect(page).toHaveURL(/\/operations\/op-\d+/);
    const starts = sent.filter(({ key }) => key !== undefined);
    assert.equal(new Set(starts.map(({ key }) => key)).size, 1);
    const { stdout } = await open().product.cli('get', 'operations', '--json');
    assert.equal(stdout.split('choice/once').length - 1, 1, stdout);
    await page.goto(open().product.url + CHOICES);
    await expect(page.getByLabel('Name')).toHaveValue('');
  });

  test('by keyboard alone: choose, fill in, see the plan, start', async () => {
    const { page } = await open().signIn();
    await page.goto(`${open().product.url}new`);
    await tabTo(page, 'Make choices');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Make choices');
    await page.getByLabel('Name').waitFor();
    await tabTo(page, 'lab-1');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type('keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('sm');
    await tabTo(page, 'See the plan');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('plan-preview')).toBeVisible();
    await expect(page.getByRole('heading', { level: 2, name: 'The plan' })).toBeFocused();
    await tabTo(page, 'Start');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/operations\/op-\d+/);
  });

  test('[UX-X1] form, faults and plan are clean in Russian and dark, and fit 360 px', async () => {
    const viewport = { width: 360, height: 720 };
    const { page } = await open().signIn({ locale: 'ru-RU', colorScheme: 'dark', viewport });
    await page.goto(`${open().product.url}new`);
    await expect(page.getByTestId('real-postgresql')).toHaveText(
      'Настоящий PostgreSQL 18.4, симулированный хост',
    );
    await page.goto(open().product.url + CHOICES);
    await page.getByTestId('see-plan').click();
    await expect(page.locator('[data-parameter="size"]')).toContainText('Это нужно указать');
    assert.deepEqual(await seriousFindings(page), []);
    await fitsWidth(page);
    await fillChoices(page, 'russian');
    await page.getByTestId('see-plan').click();
    await expect(page.getByTestId('plan-preview')).toContainText(/шаг/);
    assert.deepEqual(await seriousFindings(page), []);
    await fitsWidth(page);
  });

  test('no page broke its policy, and none said an error', () => open().quiet());
}

interface Sent {
  readonly intent: unknown;
  readonly key?: string;
}

/** The variables of every intent that the page sends. */
function listenFor(page: Page): Sent[] {
  const sent: Sent[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/graphql')) return;
    const { variables } = JSON.parse(request.postData() ?? '{}') as { variables?: Sent };
    if (variables?.intent !== undefined) sent.push(variables);
  });
  return sent;
}

async function fillChoices(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name: /lab-1/ }).check();
  await page.locator('#root_name').fill(name);
  await page.locator('#root_size').selectOption('large');
}

/** The normal form that the server makes of an intent. */
async function normalForm(page: Page, intent: unknown): Promise<unknown> {
  return page.evaluate(async (json) => {
    const query = 'query($json: JSON!) { checkDocument(document: {json: $json}) { documents { normal } } }';
    const answer = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-capstan-csrf': '1' },
      body: JSON.stringify({ query, variables: { json } }),
    });
    return (await answer.json()).data.checkDocument.documents[0].normal;
  }, intent as never);
}

/** Presses Tab until what is focused begins with these words. */
async function tabTo(page: Page, words: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const focused = document.activeElement as HTMLInputElement | null;
      const label = focused?.labels?.[0]?.textContent;
      return (label ?? focused?.textContent ?? '').trim();
    });
    if (name.startsWith(words)) return;
  }
  assert.fail(`${words} is not reached by Tab`);
}

async function fitsWidth(page: Page): Promise<void> {
  const [scroll = 0, client = 0] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok(scroll <= client, `scrolls sideways: ${scroll} > ${client}`);
}
