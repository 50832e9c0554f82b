import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import type { Page, WebSocketRoute } from '@playwright/test';
import { processesOf, ROOT } from '../product.js';
import { seriousInBothSchemes } from './axe.js';
import { hasBrowser } from './chromium.js';
import { expect } from './expect.js';
import { openProduct } from './open-product.js';

if (hasBrowser) {
  const packs = [join(ROOT, 'e2e/browser/packs'), join(ROOT, 'e2e/packs')].join(delimiter);
  const open = openProduct({ CAPSTAN_PACKS: packs });

  /** Starts an operation and gives its number. */
  async function begin(name: string, intent: string): Promise<string> {
    const file = join(open().product.data, `${name}.yaml`);
    writeFileSync(file, `intent: ${intent}`);
    const { code, stdout, stderr } = await open().product.cli('apply', '-f', file, '--yes');
    assert.equal(code, 0, stderr);
    const number = /op-\d+/.exec(stdout)?.[0];
    assert.ok(number, stdout);
    return number;
  }
  const tick = (name: string, ticks: number, host: string) =>
    begin(
      name,
      `{action: run, target_resource_type: trial, desired_result: {name: ${name}, ticks: ${ticks}}, hosts: [${host}]}`,
    );
  const breaks = (name: string, host: string) =>
    begin(
      name,
      `{action: break, target_resource_type: choice, desired_result: {name: ${name}}, hosts: [${host}]}`,
    );
  const address = (number: string, query = '') => `${open().product.url}operations/${number}${query}`;

  test('[UX-S1] [UX-S2] the card fills while it runs, and nothing on the page moves', async () => {
    const { page } = await open().signIn();
    // The code of the page is there before the operation starts, so that its start is seen.
    await page.goto(address('op-0'));
    await expect(page.getByTestId('empty-state')).toContainText('op-0');
    const number = await tick('calm', 150, 'lab-1');
    await page.goto(address(number));
    await countShifts(page);
    await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', 'live');
    await expect(page.getByTestId('field-status')).toHaveText('Running');
    await expect(page.getByTestId('field-progress')).toHaveText('0 of 1 phase');
    await expect(page.getByTestId('field-attention')).toHaveText('no');
    await expect(page.locator('[data-stage-id=run]')).toHaveAttribute('data-status', 'running');
    await expect(page.locator('[data-stage-id=run]')).toHaveAttribute('data-status', 'succeeded', {
      timeout: 40_000,
    });
    await expect(page.getByTestId('field-status')).toHaveText('Done, and proved');
    await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', 'done');
    const words = (await page.getByTestId('operation-card').textContent()) ?? '';
    assert.doesNotMatch(words, /op[-_]\d|[0-9a-f]{8}-|lab-\d/);
    const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
    assert.ok(shift <= 0.02, `layout shift ${shift}`);
  });

  test('[UX-S6] [UX-R2] [UX-R4] [UX-R8] details open where the work is; the address keeps the place, and Back leads out', async () => {
    const { page } = await open().signIn();
    const number = await tick('place', 120, 'lab-2');
    await page.goto(address(number));
    await expect(page.getByTestId('field-status')).toHaveText('Running');
    await page.getByTestId('show-details').click();
    await expect(page).toHaveURL(/view=graph&node=/);
    const box = page.locator('[data-job-id=tick]');
    await box.click();
    await expect(page).toHaveURL(/node=tick/);
    await expect(box).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByTestId('log')).toContainText('tick', { timeout: 40_000 });
    await page.reload();
    await expect(page.locator('[data-job-id=tick]')).toHaveAttribute('aria-pressed', 'true');
    await page.getByTestId('tab-evidence').click();
    await expect(page).toHaveURL(/tab=evidence/);
    await expect(box).toHaveAttribute('data-status', 'succeeded', { timeout: 40_000 });
    // Asked for again by itself, because the node's row changed [UX-R4].
    await expect(page.locator('[data-verdict=confirmed]')).toContainText('Expected', { timeout: 40_000 });
    await page.getByTestId('evidence-log').first().click();
    await expect(page.getByTestId('log')).toContainText('tick');
    await page.getByTestId('log-problems').click();
    await expect(page.getByTestId('log')).toContainText('No line of it looks like an error.');
    await page.goBack();
    await expect(page.getByTestId('evidence')).toBeVisible();
    await page.goBack();
    await expect(page.getByTestId('operation-card')).toBeVisible();
  });

  test('[UX-E20] [UX-E21] [UX-E22] the keyboard alone walks graph and list with one selection', async () => {
    const { page } = await open().signIn();
    const number = await tick('keys', 0, 'lab-3');
    await page.goto(address(number, '?view=graph'));
    const canvas = page.getByTestId('plan-canvas');
    await expect(page.locator('[data-job-id]').first()).toBeVisible();
    await canvas.focus();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/node=/);
    const first = new URL(page.url()).searchParams.get('node');
    await expect(canvas).toHaveAttribute('aria-activedescendant', `node-${first}`);
    await page.keyboard.press('ArrowDown');
    await expect(canvas).not.toHaveAttribute('aria-activedescendant', `node-${first}`);
    assert.notEqual(new URL(page.url()).searchParams.get('node'), first);
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('panel')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(canvas).toBeFocused();
    // One stop: from the canvas Tab leaves the graph for its toolbar, not for the next of its boxes.
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Zoom in' })).toBeFocused();

    await page.getByTestId('view-switch').getByText('List').click();
    const grid = page.getByRole('treegrid');
    await expect(grid.locator('[aria-selected=true]')).toHaveCount(1);
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect(grid.getByRole('row').nth(1)).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect(page).toHaveURL((url) => url.searchParams.get('node') === first);
  });

  test('[UX-E1] [UX-E26] boxes do not meet, and nothing can be dragged', async () => {
    const { page } = await open().signIn();
    await page.goto(address('op-3', '?view=graph'));
    await expect(page.locator('[data-job-id]').first()).toBeVisible();
    const boxes = await Promise.all(
      (await page.locator('[data-job-id]').all()).map((box) => box.boundingBox()),
    );
    for (const [index, a] of boxes.entries())
      for (const b of boxes.slice(index + 1))
        assert.ok(
          a &&
            b &&
            (a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y),
        );
    const [a] = boxes;
    assert.ok(a);
    await page.mouse.move(a.x + 40, a.y + 20);
    await page.mouse.down();
    await page.mouse.move(a.x + 200, a.y + 160, { steps: 5 });
    await page.mouse.up();
    assert.equal(
      await page.locator('.react-flow__node.draggable, .react-flow__handle.connectable').count(),
      0,
    );
  });

  test('[UX-R5] [UX-R6] a cut socket is said, and afterwards the page equals a fresh load', async () => {
    const { page, allow } = await open().signIn();
    allow(/WebSocket/);
    let cuts: WebSocketRoute[] = [];
    let refuse = false;
    await page.routeWebSocket(/graphql/, (route) => {
      if (refuse) return void route.close({ code: 1012 });
      route.connectToServer();
      cuts.push(route);
    });
    const number = await tick('cut', 200, 'lab-1');
    await page.goto(address(number, '?view=graph&node=tick'));
    await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', 'live');
    await expect(page.getByTestId('log')).toContainText('tick', { timeout: 40_000 });
    refuse = true;
    for (const route of cuts) await route.close({ code: 1001 });
    cuts = [];
    await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', /reconnecting|polling/);
    await expect(page.getByTestId('connection')).toContainText('as of');
    // HTTP goes on meanwhile, and the page says what is the matter.
    await expect(page.getByTestId('no-socket')).toBeVisible({ timeout: 40_000 });
    refuse = false;
    await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', /live|done/, {
      timeout: 40_000,
    });
    await expect(page.locator('[data-job-id=tick]')).toHaveAttribute('data-status', 'succeeded', {
      timeout: 30_000,
    });
    await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', 'done');
    await equalsFreshLoad(page);
  });

  for (const [role, title] of [
    ['worker', '[C01] [UX-R6] the worker is killed while the page watches'],
    ['api', '[V17] [UX-R6] the API is killed while the page watches'],
  ] as const)
    test(`${title}: it comes back, and the page equals a fresh load`, async () => {
      const { page, allow } = await open().signIn();
      allow(/WebSocket|ERR_CONNECTION|ERR_EMPTY|Failed to fetch/);
      const number = await tick(`${role}-killed`, 200, 'lab-2');
      await page.goto(address(number, '?view=graph&node=tick'));
      await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', 'live');
      await expect(page.getByTestId('log')).toContainText('tick', { timeout: 40_000 });
      const { pid, data } = open().product;
      const victim = processesOf(pid, data).find(({ command }) => command.endsWith(`main.js ${role}`));
      assert.ok(victim, `no ${role} was found`);
      process.kill(victim.pid, 'SIGKILL');
      if (role === 'api')
        await expect(page.getByTestId('connection')).toHaveAttribute(
          'data-connection',
          /reconnecting|polling/,
        );
      await expect(page.locator('[data-job-id=tick]')).toHaveAttribute('data-status', 'succeeded', {
        timeout: 90_000,
      });
      await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', 'done', {
        timeout: 40_000,
      });
      await equalsFreshLoad(page);
    });

  test('[UX-R1] [UX-R7] the header says how it stands; what comes moves nothing that somebody looks at', async () => {
    const { page } = await open().signIn();
    const number = await tick('steady', 200, 'lab-3');
    await page.goto(address(number, '?view=graph&node=tick'));
    const header = page.locator('header', { has: page.getByRole('heading', { level: 1 }) });
    const pill = header.locator('[data-status]');
    await expect(pill).toHaveAttribute('data-status', 'running');
    // A word and a shape, so that nothing hangs on a colour.
    await expect(pill).toContainText('Running');
    await expect(pill.locator('svg')).toBeVisible();
    await expect(page.getByTestId('phases')).toHaveText('0 of 1 phase');
    await expect(header).toContainText(/\d+ sec so far/);

    const log = page.getByTestId('log');
    const follow = page.getByTestId('log-follow');
    await expect(log).toContainText('tick 60', { timeout: 40_000 });
    await expect(follow).toHaveAttribute('aria-pressed', 'true');
    const viewport = page.locator('.react-flow__viewport');
    const before = await viewport.getAttribute('style');
    await log.focus();
    await log.hover();
    await page.mouse.wheel(0, -400);
    await expect(follow).toHaveAttribute('aria-pressed', 'false');
    await page.waitForFunction(async () => {
      const scroller = document.querySelector('[data-testid="log"]');
      const top = scroller?.scrollTop;
      await new Promise((resolve) => setTimeout(resolve, 150));
      return scroller?.scrollTop === top;
    });
    const top = await log.evaluate((scroller) => scroller.scrollTop);
    await expect(page.getByTestId('log-unseen')).toContainText(/[1-9]\d new lines/);
    await expect(page.locator('[data-job-id=tick]')).toHaveAttribute('data-status', 'succeeded', {
      timeout: 40_000,
    });
    await expect(pill).toContainText('Done, and proved');
    assert.equal(await log.evaluate((scroller) => scroller.scrollTop), top, 'the log stands still');
    await expect(log).toBeFocused();
    assert.equal(await viewport.getAttribute('style'), before, 'the canvas stands still');
    await expect(page.locator('[data-job-id=tick]')).toHaveAttribute('aria-pressed', 'true');
    await page.getByTestId('log-unseen').click();
    await expect(log).toContainText('tick 199');
  });

  test('[UX-S7] [UX-R13] a failure says what failed and what can be done; orders say first what they do', async () => {
    const { page, context } = await open().signIn();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const number = await breaks('report', 'lab-3');
    await page.goto(address(number));
    const failure = page.getByTestId('failure');
    await expect(failure).toBeVisible({ timeout: 40_000 });
    await expect(page.getByTestId('field-attention')).toContainText('1 needs you');
    await expect(failure).toContainText('Tried once');
    assert.ok((await failure.getByRole('button').count()) <= 4, 'three actions and the report');
    await page.getByTestId('copy-report').click();
    const report = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(report, new RegExp(`\\(${number}\\)[\\s\\S]+Status: Failed[\\s\\S]+Tries: 1`));

    await failure.getByTestId('action-retry').click();
    await expect(page.getByTestId('action-effect')).not.toBeEmpty();
    await page.getByTestId('confirm').click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(failure).toContainText('Tried 2 times', { timeout: 40_000 });

    await page.getByTestId('failure-log').click();
    await expect(page).toHaveURL(/view=graph&node=/);
    await page.getByTestId('tab-attempts').click();
    await expect(page.getByTestId('attempts').locator('[data-attempt]')).toHaveCount(2);

    await page.getByTestId('action-cancel').click();
    await expect(page.getByTestId('action-effect')).not.toBeEmpty();
    await page.getByTestId('confirm').click();
    await expect(page.getByTestId('last-order')).toContainText('Cancelled by', { timeout: 40_000 });
    // At once, not with the next look at everything.
    await expect(page.getByTestId('nav-operations')).not.toContainText('needs you', { timeout: 10_000 });
    await page.getByTestId('view-switch').getByText('Simple').click();
    await expect(page.getByTestId('field-status')).toHaveText('Cancelled', { timeout: 40_000 });
  });

  for (const locale of ['en-GB', 'ru-RU'])
    test(`[UX-X1] axe finds nothing serious on an operation, light or dark: ${locale}`, async () => {
      const { page } = await open().signIn({ locale });
      for (const query of [
        '',
        '?view=graph&node=tick',
        '?view=graph&node=tick&tab=evidence',
        '?view=list&tab=events',
        '?view=list&tab=artifacts',
      ]) {
        await page.goto(address('op-1', query));
        await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', 'done');
        await expect(page.getByTestId('loading-state')).toHaveCount(0);
        assert.deepEqual(await seriousInBothSchemes(page), [], query);
      }
    });

  test('[UX-X3] the simple view does not scroll sideways at 320 px, in Russian', async () => {
    const { page } = await open().signIn({ locale: 'ru-RU', viewport: { width: 320, height: 640 } });
    await page.goto(address('op-1'));
    await expect(page.getByTestId('field-status')).toHaveText('Сделано и доказано');
    const [scroll = 0, client = 0] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(scroll <= client, `${scroll} > ${client}`);
  });

  test('no page broke its policy, and none said an error', () => open().quiet());
}

/** Adds up layout shifts from now on, as browsers count them. */
async function countShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counted = window as unknown as { shift: number };
    counted.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean };
        if (!hadRecentInput) counted.shift += value;
      }
    }).observe({ type: 'layout-shift' });
  });
}

/** What the page shows of a finished operation is what it shows after a reload. */
async function equalsFreshLoad(page: Page): Promise<void> {
  const watched = await picture(page);
  await page.reload();
  await expect(page.getByTestId('connection')).toHaveAttribute('data-connection', 'done');
  await expect(page.getByTestId('log')).toContainText('tick');
  assert.deepEqual(await picture(page), watched);
}

/** What a reader sees of the state, and the end of the log with how much is above it. */
async function picture(page: Page): Promise<unknown> {
  const log = page.getByTestId('log');
  await log.evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  await expect(log).toContainText('tick 199');
  return {
    nodes: await page
      .locator('[data-job-id]')
      .evaluateAll((all) =>
        all.map((node) => [node.getAttribute('data-job-id'), node.getAttribute('data-status')]),
      ),
    phases: await page.getByTestId('phases').textContent(),
    lines: await log.evaluate((scroller) => scroller.scrollHeight),
    end: (await log.locator('code').allTextContents()).slice(-5),
  };
}
