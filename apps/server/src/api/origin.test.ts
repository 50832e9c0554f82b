import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnOrigin, webSocketOrigin } from './origin.js';
import { sessionCookie } from './session-cookie.js';

const asked = (host: string | undefined, origin?: string) => ({ headers: { host, origin } });

test('without a configured address, only a loopback literal that was asked under its own name counts', () => {
  for (const host of ['127.0.0.1:4400', '[::1]:4400', 'LOCALHOST:4400'.toLowerCase(), '127.0.0.1'])
    assert.equal(isOwnOrigin(asked(host, `http://${host}`), []), true, host);
  for (const [host, origin] of [
    ['capstan.example:4400', 'http://capstan.example:4400'],
    ['10.0.0.5:4400', 'http://10.0.0.5:4400'],
    ['127.0.0.1:4400', 'http://127.0.0.1:4401'],
    ['127.0.0.1:4400', 'https://127.0.0.1:4400'],
    ['127.0.0.1:4400@evil.example', 'http://127.0.0.1:4400@evil.example'],
    [undefined, 'http://127.0.0.1:4400'],
    ['127.0.0.1:4400', undefined],
  ] as const)
    assert.equal(isOwnOrigin(asked(host, origin), []), false, `${host} ${origin}`);
});

test('with configured addresses exactly those count, whatever the Host', () => {
  const configured = ['https://capstan.example', 'http://10.0.0.5:4400'];
  assert.equal(isOwnOrigin(asked('inner:4400', 'https://capstan.example'), configured), true);
  assert.equal(isOwnOrigin(asked('x', 'http://10.0.0.5:4400'), configured), true);
  assert.equal(isOwnOrigin(asked('127.0.0.1:4400', 'http://127.0.0.1:4400'), configured), false);
  assert.equal(isOwnOrigin(asked('x', 'https://capstan.example.evil'), configured), false);
});

test('a page may open its socket to the address it was asked under, and to no header that somebody made up', () => {
  assert.equal(webSocketOrigin(asked('127.0.0.1:4400'), []), 'ws://127.0.0.1:4400');
  assert.equal(
    webSocketOrigin(asked('capstan.example'), ['https://capstan.example']),
    'wss://capstan.example',
  );
  assert.equal(webSocketOrigin(asked("x; script-src 'unsafe-inline'"), []), null);
});

test('on https the cookie has the name that only https can set, and only that one is read', () => {
  const cookie = sessionCookie(4400, ['https://capstan.example']);
  const session = 's'.repeat(43);
  assert.match(
    cookie.give(session, 'https://capstan.example', 1000),
    /^__Host-capstan=s{43}; Secure; Path=\/; HttpOnly/,
  );
  const request = (text: string) => ({ headers: { cookie: text } });
  assert.equal(cookie.read(request(`capstan_4400=${session}`)), null);
  assert.equal(cookie.read(request(`a=b; __Host-capstan=${session}`)), session);
  assert.equal(sessionCookie(4400, []).read(request(`capstan_4401=${session}`)), null);
  assert.equal(sessionCookie(4400, []).read(request('capstan_4400=short')), null);
});
