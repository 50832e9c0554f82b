import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseUrl, parseDuration, parseSize, readConfig } from './config.js';

function config(env: Record<string, string>) {
  const result = readConfig(env, '/work-folder');
  assert.ok(result.ok, result.ok ? '' : result.lines.join('\n'));
  return result.config;
}

function lines(env: Record<string, string>): readonly string[] {
  const result = readConfig(env, '/work-folder');
  return result.ok ? [] : result.lines;
}

test('without an environment everything has a default', () => {
  const got = config({});
  assert.deepEqual(got.port, { value: 4400, explicit: false });
  assert.equal(got.host, '127.0.0.1');
  assert.match(got.data, /\/\.capstan$/);
  assert.equal(got.lab, 'sandbox');
  assert.equal(got.unreachableAfterMs, 120_000);
  assert.deepEqual([got.leaseMs, got.heartbeatMs], [20_000, 5_000]);
  assert.equal(got.token, null);
  assert.equal(got.packFolders.length, 1);
});

test('with a database of its own the lab stays out unless asked for', () => {
  const url = 'postgres://capstan:secret@db.internal:5432/capstan';
  assert.equal(config({ DATABASE_URL: url }).lab, 'none');
  assert.equal(config({ DATABASE_URL: url, CAPSTAN_LAB: 'sandbox' }).lab, 'sandbox');
});

test('folders are made absolute, an empty part of the list is nothing', () => {
  const got = config({ CAPSTAN_DATA: 'state', CAPSTAN_PACKS: 'mine::/opt/packs:' });
  assert.equal(got.data, '/work-folder/state');
  assert.deepEqual(got.packFolders.slice(1), ['/work-folder/mine', '/opt/packs']);
});

test('every bad value is one line that names the variable and what would be right', () => {
  const got = lines({
    CAPSTAN_PORT: '99999',
    CAPSTAN_HOST: '0.0.0.0',
    CAPSTAN_LAB: 'debian',
    CAPSTAN_LEASE: 'soon',
    DATABASE_URL: 'mysql://x',
    CAPSTAN_LOG_LEVEL: 'loud',
  });
  assert.equal(got.length, 6);
  for (const name of [
    'CAPSTAN_PORT=99999',
    'CAPSTAN_HOST=0.0.0.0',
    'CAPSTAN_LAB=debian',
    'CAPSTAN_LEASE=soon',
  ]) {
    assert.equal(got.filter((line) => line.startsWith(name) && !line.includes('\n')).length, 1, name);
  }
});

test('a refused secret is named and never shown', () => {
  const got = lines({ CAPSTAN_TOKEN: 'top secret', DATABASE_URL: 'mysql://me:top-secret@x' });
  assert.equal(got.length, 2);
  assert.ok(
    got.every((line) => !line.includes('secret')),
    got.join('\n'),
  );
});

test('a heartbeat that could lose the lease is refused', () => {
  assert.match(lines({ CAPSTAN_LEASE: '2s', CAPSTAN_HEARTBEAT: '1500ms' })[0] ?? '', /CAPSTAN_HEARTBEAT/);
  assert.equal(config({ CAPSTAN_LEASE: '2s', CAPSTAN_HEARTBEAT: '500ms' }).leaseMs, 2_000);
});

test('everything that is kept has an age from outside, and a size has a unit', () => {
  const day = 86_400_000;
  assert.deepEqual(config({}).retention, {
    logsMs: 90 * day,
    failedLogsMs: 365 * day,
    logBytes: 20_000_000_000,
    eventsMs: 730 * day,
    succeededFoldersMs: 7 * day,
    otherFoldersMs: 30 * day,
    idempotencyMs: day,
  });
  const got = config({ CAPSTAN_RETAIN_LOGS: '1d', CAPSTAN_RETAIN_LOG_BYTES: '500MB' }).retention;
  assert.deepEqual([got.logsMs, got.logBytes], [day, 500_000_000]);
  assert.deepEqual(['20GB', '1TB', '20', '20gb', '1.5GB'].map(parseSize), [2e10, 1e12, null, null, null]);
  const refused = lines({ CAPSTAN_RETAIN_LOGS: '0d', CAPSTAN_RETAIN_LOG_BYTES: 'much' });
  assert.equal(refused.length, 2);
});

test('durations have a unit', () => {
  assert.deepEqual(
    ['500ms', '20s', '2m', '1h', '2d'].map(parseDuration),
    [500, 20_000, 120_000, 3_600_000, 172_800_000],
  );
  assert.deepEqual(['20', '-1s', '1.5s', '', '2 minutes'].map(parseDuration), [null, null, null, null, null]);
});

test('the addresses of the pages are origins, as browsers write them; a path or another scheme is refused', () => {
  const got = config({
    CAPSTAN_PUBLIC_URL: 'https://Capstan.Example/, http://10.0.0.5:4400 ,https://a.example:443',
  });
  assert.deepEqual(got.publicOrigins, [
    'https://capstan.example',
    'http://10.0.0.5:4400',
    'https://a.example',
  ]);
  assert.equal(baseUrl(got, 4400), 'https://capstan.example/');
  assert.equal(baseUrl(config({}), 4401), 'http://127.0.0.1:4401/');
  for (const bad of [
    'capstan.example',
    'https://capstan.example/ui',
    'ftp://capstan.example',
    'https://me@capstan.example',
  ])
    assert.match(lines({ CAPSTAN_PUBLIC_URL: bad })[0] ?? '', /^CAPSTAN_PUBLIC_URL=/, bad);
  assert.equal(config({}).web, true);
  assert.equal(config({ CAPSTAN_WEB: 'off' }).web, false);
});
