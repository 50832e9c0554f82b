import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newOperation, testPlan } from '@capstan/engine/testing';
import type { Database } from '@capstan/postgres';
import { startTestDatabase } from '@capstan/postgres/testing';
import type { Page } from '@playwright/test';
import { launchBrowser } from '../e2e/browser/chromium.js';
import { DrivenNodes } from './driven-nodes.js';
import { round } from './measure.js';

/**
 * The page of an operation of 1,000 different jobs in ten stages: until the graph is painted, how long a frame takes while
 * the canvas is panned, and from the commit of an event until the box in the page says so.
 */
const STAGES = 10;
const JOBS_A_STAGE = 100;
const PAN_MS = 4_000;
const EVENTS = 60;
const TOKEN = 'a-token-of-the-benchmark';

const ends: (() => Promise<unknown> | unknown)[] = [];
const server = await startTestDatabase();
ends.unshift(() => server.stop());
try {
  const { id, number, driven } = await bigOperation(server.database);
  const url = await startApi(server.url, server.dataDir);
  const browser = await launchBrowser({ after: (end) => void ends.unshift(end) });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'UTC' });
  const page = await context.newPage();
  await page.goto(await signInLink(url));
  await page.getByTestId('try-postgresql').waitFor();

  // Once to warm caches of server and browser, as somebody has who works with it.
  const address = `${url}operations/${number}?view=graph`;
  await firstPaint(page, address);
  const paints = [
    await firstPaint(page, address),
    await firstPaint(page, address),
    await firstPaint(page, address),
  ];
  const drawn = await page.locator('[data-job-id]').count();
  const pan = await panFrames(page);
  const late = await commitToPixel(page, driven);
  const result = {
    name: 'graph-paint',
    ours: round(Math.min(...paints)),
    floor: null,
    ratio: null,
    unit: 'ms to the first paint of 1,000 jobs',
    runs: paints.length,
    detail: {
      paintsMs: paints.map(round),
      boxesDrawn: drawn,
      panFrameMs: { p50: at(pan, 0.5), p95: at(pan, 0.95), frames: pan.length },
      commitToPixelMs: { p50: at(late, 0.5), p95: at(late, 0.95), events: late.length },
    },
    load: loadavg().map(round),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `graph-paint (${id}): first paint ${result.detail.paintsMs.join(', ')} ms with ${drawn} boxes drawn; pan p95 ${result.detail.panFrameMs.p95} ms a frame; ` +
        `commit to pixel ${result.detail.commitToPixelMs.p50} ms, p95 ${result.detail.commitToPixelMs.p95} ms (load ${result.load[0]})`,
    );
} finally {
  for (const end of ends) await end();
}

async function bigOperation(database: Database) {
  const key = (stage: number, job: number) => `step-${stage}-${String(job).padStart(2, '0')}`;
  const all = (count: number) => Array.from({ length: count }, (_, index) => index);
  const plan = testPlan(
    all(STAGES).flatMap((stage) =>
      all(JOBS_A_STAGE).map((job) => ({
        key: key(stage, job),
        stage: `stage-${stage}`,
        after: stage === 0 ? [] : all(JOBS_A_STAGE).map((before) => key(stage - 1, before)),
      })),
    ),
    { environment: 'default', subject: { key: 'thing/big', type: 'thing', name: 'big' } },
  );
  const operation = newOperation(plan, database.ids, {
    actor: { kind: 'token', id: 'bench' },
    idempotency: null,
  });
  const created = await database.store.create(operation);
  if (created.kind !== 'created') throw new Error(created.kind);
  return { id: operation.id, number: created.number, driven: await DrivenNodes.take(database, operation) };
}

async function startApi(databaseUrl: string, dataDir: string): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const api: ChildProcess = spawn(
    process.execPath,
    ['--enable-source-maps', join(import.meta.dirname, '../apps/server/dist/main.js'), 'api'],
    {
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        CAPSTAN_DATA: dataDir,
        CAPSTAN_TOKEN: TOKEN,
        CAPSTAN_PORT: String(port),
        CAPSTAN_LAB: 'none',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  ends.unshift(async () => {
    api.kill('SIGTERM');
    if (api.exitCode === null) await once(api, 'exit');
  });
  let said = '';
  for (const stream of [api.stdout, api.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
  for (let waited = 0; waited < 60_000; waited += 100) {
    if ((await fetch(`${url}readyz`).catch(() => null))?.ok) return url;
    if (api.exitCode !== null) break;
    await sleep(100);
  }
  throw new Error(`the API did not start:\n${said}`);
}

/** Free a moment ago: a role by itself takes the port that it is told and prints none. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function signInLink(url: string): Promise<string> {
  const answer = await fetch(`${url}auth/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  return ((await answer.json()) as { data: { url: string } }).data.url;
}

/** From the navigation to the first frame that shows boxes with a status. */
async function firstPaint(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'commit' });
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector('[data-job-id][data-status=ready]') === null)
            return requestAnimationFrame(look);
          // The frame after the one that found it is the one that shows it.
          return requestAnimationFrame(() => resolve(performance.now()));
        };
        look();
      }),
  );
}

/** Times between frames while the wheel pans without rest. */
async function panFrames(page: Page): Promise<number[]> {
  const box = await page.getByTestId('plan-canvas').boundingBox();
  if (box === null) throw new Error('there is no canvas');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const frames = page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let last = performance.now();
        const end = last + ms;
        const frame = (now: number) => {
          times.push(now - last);
          last = now;
          if (now < end) requestAnimationFrame(frame);
          else resolve(times.slice(1));
        };
        requestAnimationFrame(frame);
      }),
    PAN_MS,
  );
  const until = Date.now() + PAN_MS;
  for (let step = 0; Date.now() < until; step++)
    await page.mouse.wheel(step % 80 < 40 ? 40 : -40, step % 40 < 20 ? 12 : -12);
  return (await frames).sort((a, b) => a - b);
}

/** From the commit of an event to the change of `data-status`, both on this machine's clock. */
async function commitToPixel(page: Page, driven: DrivenNodes): Promise<number[]> {
  const visible = await page
    .locator('.react-flow__node [data-job-id][data-status=ready]')
    .evaluateAll((boxes) => {
      const seen = window as unknown as { changes: [string, number][] };
      seen.changes = [];
      for (const box of boxes)
        new MutationObserver(() =>
          seen.changes.push([box.getAttribute('data-job-id') ?? '', Date.now()]),
        ).observe(box, {
          attributeFilter: ['data-status'],
        });
      return boxes.map((box) => box.getAttribute('data-job-id') ?? '');
    });
  const committed = new Map<string, number>();
  for (const key of visible.slice(0, EVENTS)) {
    await driven.begin(key);
    committed.set(key, Date.now());
    await sleep(40 + Math.random() * 160);
  }
  await sleep(2_000);
  const changes = await page.evaluate(() => (window as unknown as { changes: [string, number][] }).changes);
  return changes
    .flatMap(([key, seen]) => {
      const at = committed.get(key);
      return at === undefined ? [] : [seen - at];
    })
    .sort((a, b) => a - b);
}

function at(sorted: readonly number[], share: number): number {
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}
