import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { seriousFindings } from './axe.js';
import { hasBrowser } from './chromium.js';
import { expect } from './expect.js';
import { openProduct } from './open-product.js';

const KEY = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const WRONG = 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU';

if (hasBrowser) {
  const open = openProduct();

  test('a host is added only when its fingerprint was compared, and its key is not shown again', async () => {
    const { page } = await open().signIn();
    await page.goto(`${open().product.url}hosts`);
    const { port, fingerprint } = await sandboxHost(page, 'lab-1');
    await page.getByTestId('add-host').click();
    await fillHost(page, { name: 'mine', port });
    await page.getByTestId('scan').click();
    await expect(page.getByTestId('offered-fingerprint')).toHaveText(fingerprint);
    const add = page.getByTestId('confirm-add');
    await expect(add).toBeDisabled();

    const paste = page.getByLabel('What the console says');
    await expect(paste).toBeFocused();
    await paste.fill(`256 ${WRONG} root@mine (ED25519)`);
    await expect(page.getByTestId('fingerprint-verdict')).toHaveAttribute('data-verdict', 'mismatch');
    await expect(add).toBeDisabled();

    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByLabel('Private key')).toHaveValue('');
    await expect(page.getByRole('dialog')).toContainText('is kept');
    await page.getByTestId('scan').click();
    await paste.fill(`256 ${fingerprint} root@mine (ED25519)`);
    await expect(page.getByTestId('fingerprint-verdict')).toHaveAttribute('data-verdict', 'match');
    assert.deepEqual(await seriousFindings(page), []);
    await add.click();
    await expect(page.getByRole('dialog')).toBeHidden();
    const card = page.locator('[data-host="mine"]');
    await expect(card).toContainText('Your own machine');
    await expect(card).toContainText(fingerprint);
    assert.doesNotMatch(await page.content(), /PRIVATE KEY/);
  });

  test('what is wrong with a host is said at its field', async () => {
    const { page } = await open().signIn();
    await page.goto(`${open().product.url}hosts`);
    const { port, fingerprint } = await sandboxHost(page, 'lab-1');
    await page.getByTestId('add-host').click();
    await page.getByTestId('scan').click();
    await expect(page.getByLabel('Name')).toBeFocused();
    await fillHost(page, { name: 'Not a name', port });
    await page.getByTestId('scan').click();
    await page.getByLabel('What the console says').fill(fingerprint);
    await page.getByTestId('confirm-add').click();
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Name').fill('nobody');
    await page.getByLabel('Port').fill('1');
    await page.getByTestId('scan').click();
    await expect(page.getByTestId('host-problems')).toBeVisible({ timeout: 15_000 });
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('add-host')).toBeFocused();
  });

  test('a changed key shows both fingerprints, and is accepted only after a comparison', async () => {
    const { page } = await open().signIn();
    await page.goto(`${open().product.url}hosts`);
    const { port, fingerprint } = await sandboxHost(page, 'lab-2');
    await ask(
      page,
      'mutation($host: HostInput!) { addHosts(input: {hosts: [$host], idempotencyKey: "reinstalled-1"}) { __typename } }',
      {
        host: {
          name: 'reinstalled',
          address: '127.0.0.1',
          port,
          user: 'root',
          privateKey: KEY,
          hostKeyFingerprint: WRONG,
          environment: 'default',
        },
      },
    );
    await page.reload();
    await page.getByRole('button', { name: 'Check the host key of reinstalled' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByTestId('changed-key')).toContainText(WRONG);
    await expect(dialog.getByTestId('offered-fingerprint')).toHaveText(fingerprint);
    const accept = page.getByTestId('accept-key');
    await expect(accept).toBeDisabled();
    await dialog.getByLabel('I compared it in another way').check();
    await expect(accept).toBeEnabled();
    await accept.click();
    await expect(dialog).toBeHidden();
    await expect(page.locator('[data-host="reinstalled"]')).toContainText(fingerprint);
    await page.getByRole('button', { name: 'Check the host key of reinstalled' }).click();
    await expect(page.getByTestId('same-key')).toBeVisible();
  });

  test('[UX-X1] hosts and their dialog are clean in Russian and dark, and fit 320 px', async () => {
    const viewport = { width: 320, height: 640 };
    const { page } = await open().signIn({ locale: 'ru-RU', colorScheme: 'dark', viewport });
    await page.goto(`${open().product.url}hosts`);
    await expect(page.locator('[data-host="lab-1"]')).toContainText('симулирован');
    assert.deepEqual(await seriousFindings(page), []);
    await page.getByTestId('add-host').click();
    await expect(page.getByLabel('Закрытый ключ')).toBeVisible();
    assert.deepEqual(await seriousFindings(page), []);
    const [scroll = 0, client = 0] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(scroll <= client, `scrolls sideways: ${scroll} > ${client}`);
  });

  test('no page broke its policy, and none said an error', () => open().quiet());
}

async function fillHost(page: Page, host: { readonly name: string; readonly port: number }): Promise<void> {
  await page.getByLabel('Name').fill(host.name);
  await page.getByLabel('Address').fill('127.0.0.1');
  await page.getByLabel('Port').fill(String(host.port));
  await page.getByLabel('Private key').fill(KEY);
}

/** A host of the sandbox: a machine that answers, and whose key is known. */
async function sandboxHost(page: Page, name: string): Promise<{ port: number; fingerprint: string }> {
  const data = await ask(page, 'query($name: String!) { host(name: $name) { port hostKeyFingerprint } }', {
    name,
  });
  const { host } = data as { host: { port: number; hostKeyFingerprint: string } };
  return { port: host.port, fingerprint: host.hostKeyFingerprint };
}

async function ask(page: Page, query: string, variables: Record<string, unknown>): Promise<unknown> {
  return page.evaluate(async (body) => {
    const answer = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-capstan-csrf': '1' },
      body,
    });
    const { data, errors } = await answer.json();
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  }, JSON.stringify({ query, variables }));
}
