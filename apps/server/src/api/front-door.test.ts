import 'reflect-metadata';
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testPlan } from '@capstan/engine/testing';
import { quietHosts, type Served, serve, TOKEN } from './served.test-support.js';

const QUERY = JSON.stringify({ query: '{ viewer { actor { kind id } } }' });

/** The server with pages that tell which nonce they were given. */
function served(t: TestContext): Promise<Served> {
  return serve(t, testPlan([{ key: 'a' }]), quietHosts(), async (request, response) => {
    response.end(`page ${request.url} nonce ${String(request.headers['x-nonce'])}`);
  });
}

function originOf({ url }: Served): string {
  return new URL(url).origin;
}

/** POST as a page of ours sends it; `headers` overrides, null leaves a header out. */
function post(
  one: Served,
  path: string,
  body: string,
  headers: Readonly<Record<string, string | null | undefined>> = {},
) {
  const all = {
    'content-type': 'application/json',
    origin: originOf(one),
    'x-capstan-csrf': '1',
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return fetch(new URL(path, one.url), { method: 'POST', headers: Object.fromEntries(sent), body });
}

async function newCode(one: Served): Promise<string> {
  const answer = await fetch(new URL('auth/codes', one.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const { url, expiresAt } = ((await answer.json()) as { data: { url: string; expiresAt: string } }).data;
  assert.ok(Date.parse(expiresAt) > Date.now() + 14 * 60_000);
  const code = /^http:\/\/127\.0\.0\.1:4400\/sign-in#([\w-]{43})$/.exec(url)?.[1];
  assert.ok(code, url);
  return code;
}

async function signedIn(one: Served): Promise<string> {
  const answer = await post(one, 'auth/sign-in', JSON.stringify({ code: await newCode(one) }));
  assert.equal(answer.status, 204);
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

async function codeOf(response: Response): Promise<string> {
  const answer = (await response.json()) as { errors: { extensions: { code: string } }[] };
  return answer.errors[0]?.extensions.code ?? 'none';
}

test('a code opens one session, whose cookie no script reads and no other site sends', async (t) => {
  const one = await served(t);
  const code = await newCode(one);
  const answer = await post(one, 'auth/sign-in', JSON.stringify({ code }));
  assert.match(
    answer.headers.get('set-cookie') ?? '',
    /^capstan_4400=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/,
  );
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const asked = await post(one, 'graphql', QUERY, { cookie });
  assert.deepEqual(await asked.json(), { data: { viewer: { actor: { kind: 'human', id: 'operator' } } } });

  const again = await post(one, 'auth/sign-in', JSON.stringify({ code }));
  assert.equal(again.status, 401);
  assert.equal(await codeOf(again), 'CODE_UNUSABLE');
});

test('sign-out ends the session at once', async (t) => {
  const one = await served(t);
  const cookie = await signedIn(one);
  const out = await post(one, 'auth/sign-out', '', { cookie });
  assert.equal(out.status, 204);
  assert.match(out.headers.get('set-cookie') ?? '', /capstan_4400=; .*Max-Age=0/);
  assert.equal((await post(one, 'graphql', QUERY, { cookie })).status, 401);
});

test('[C33] with a cookie, a change needs the header and exactly our Origin, in every shape of it', async (t) => {
  const one = await served(t);
  const cookie = await signedIn(one);
  const own = originOf(one);
  const port = new URL(own).port;
  for (const origin of [
    null,
    'null',
    'http://evil.example',
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${Number(port) + 1}`,
    `http://127.0.0.1:${port}.evil.example`,
    `http://127.0.0.1.evil.example:${port}`,
    `${own}/`,
    `${own} http://evil.example`,
    `http://[::1]:${port}`,
  ]) {
    for (const [path, body] of [
      ['graphql', QUERY],
      ['auth/sign-out', ''],
    ] as const) {
      const answer = await post(one, path, body, { cookie, origin });
      assert.equal(answer.status, 403, `${path} ${origin}`);
      assert.equal(await codeOf(answer), 'WRONG_ORIGIN');
    }
  }
  const form = await post(one, 'graphql', QUERY, { cookie, 'x-capstan-csrf': null });
  assert.equal(await codeOf(form), 'CSRF_HEADER_MISSING');
  assert.equal((await post(one, 'graphql', QUERY, { cookie })).status, 200);
});

test('a code does not sign in from a foreign page', async (t) => {
  const one = await served(t);
  const code = await newCode(one);
  const foreign = await post(one, 'auth/sign-in', JSON.stringify({ code }), {
    origin: 'http://evil.example',
  });
  assert.equal(foreign.status, 403);
  assert.equal((await post(one, 'auth/sign-in', JSON.stringify({ code }))).status, 204, 'it is not used up');
});

test('guessing codes is slowed down, and only for whoever guesses wrong', async (t) => {
  const one = await served(t);
  const guess = () => post(one, 'auth/sign-in', JSON.stringify({ code: 'x'.repeat(43) }));
  for (let i = 0; i < 3; i += 1) await signedIn(one);
  for (let i = 0; i < 10; i += 1) assert.equal((await guess()).status, 401);
  const refused = await guess();
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '60');
});

test('only a token makes another link', async (t) => {
  const one = await served(t);
  const cookie = await signedIn(one);
  for (const headers of [{ cookie }, { authorization: 'Bearer wrong' }, {}])
    assert.equal((await post(one, 'auth/codes', '', headers)).status, 401);
});

test('a page needs a session; without one the way leads to the sign-in and back', async (t) => {
  const one = await served(t);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, one.url), { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });
  const away = await get('operations/op-1?view=list');
  assert.equal(away.status, 303);
  assert.equal(away.headers.get('location'), '/sign-in#from=%2Foperations%2Fop-1%3Fview%3Dlist');
  assert.equal((await get('')).headers.get('location'), '/sign-in');
  const cookie = await signedIn(one);
  assert.match(await (await get('operations/op-1', { cookie })).text(), /^page \/operations\/op-1 nonce /);
  assert.equal((await get('_next/image?url=x', { cookie })).status, 404);
  assert.match(await (await get('_next/static/chunks/a.js')).text(), /^page/, 'for everybody');
  const icon = await get('favicon.ico');
  assert.deepEqual([icon.status, icon.headers.get('location')], [301, '/icon.svg']);
  assert.match(await (await get('sign-in')).text(), /^page/);
  const program = await fetch(new URL('operations', one.url), {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  assert.equal(program.status, 404, 'a program has no use for pages');
});

test('every page has its own nonce, in its policy and in what renders it; a client cannot choose it', async (t) => {
  const one = await served(t);
  const get = async () => {
    const answer = await fetch(new URL('sign-in', one.url), {
      headers: {
        accept: 'text/html',
        'x-nonce': 'mine',
        'content-security-policy': "script-src 'nonce-mine'",
      },
    });
    const policy = answer.headers.get('content-security-policy') ?? '';
    const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(policy)?.[1];
    assert.ok(nonce && nonce !== 'mine');
    assert.match(await answer.text(), new RegExp(`nonce ${nonce.replace(/[+]/g, '\\+')}$`));
    return { nonce, policy };
  };
  const [first, second] = [await get(), await get()];
  assert.notEqual(first.nonce, second.nonce);
  const host = new URL(one.url).host;
  assert.ok(first.policy.includes(`connect-src 'self' ws://${host};`), first.policy);
  assert.match(first.policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(first.policy.replace("style-src-attr 'unsafe-inline'", ''), /unsafe/);
});

test('what a policy stopped is counted and logged, in few words', async (t) => {
  const one = await served(t);
  const report = {
    'csp-report': { 'violated-directive': 'script-src', 'blocked-uri': 'inline', other: 'x' },
  };
  const answer = await fetch(new URL('auth/csp-report', one.url), {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report' },
    body: JSON.stringify(report),
  });
  assert.equal(answer.status, 204);
  assert.match(await (await fetch(new URL('metrics', one.url))).text(), /capstan_csp_reports_total 1/);
  assert.equal(one.reported.filter((line) => line.includes('"directive":"script-src"')).length, 1);
});
