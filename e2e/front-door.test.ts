import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { dataFolder, startProduct, until } from './product.js';

const FRAMES = `subscription($id: ID!) { operationEvents(id: $id) { to operation { status } } }`;

test('sockets and pages live on one port without disturbing each other', async (t) => {
  const product = await startProduct(t, dataFolder(t));
  assert.match(
    product.output(),
    /^Sign in once: .*\n(.*\n)*Capstan is ready: /m,
    'the link comes before the ready line',
  );
  const token = readFileSync(`${product.data}/api-token`, 'utf8').trim();
  const socketUrl = product.url.replace('http', 'ws');
  const page = async () => {
    const answer = await fetch(`${product.url}sign-in`, { headers: { accept: 'text/html' } });
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<html lang="en"/);
  };

  await t.test('a subscription survives page requests before and after it', async () => {
    await page();
    const applied = await product.cli('apply', '-f', 'examples/postgres.yaml', '--yes', '--json');
    const { operation } = applied.json<{ operation: string }>();
    const client = createClient({
      url: `${socketUrl}graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${token}` },
    });
    const states: string[] = [];
    let problem: unknown = null;
    const stop = client.subscribe<{ operationEvents: { operation: { status: string } } }>(
      { query: FRAMES, variables: { id: operation } },
      {
        next: ({ data }) => void states.push(data?.operationEvents.operation.status ?? 'none'),
        error: (error) => {
          problem = error;
        },
        complete: () => undefined,
      },
    );
    await until('the first frame', 20_000, async () => states.length > 0 || problem !== null);
    await Promise.all([page(), page(), page()]);
    await until(
      'the end of the operation',
      90_000,
      async () => states.at(-1) === 'succeeded' || problem !== null,
    );
    assert.equal(problem, null);
    await page();
    stop();
    await client.dispose();
  });

  await t.test('[C33] an upgrade of another path, or from another origin, ends at once', async () => {
    for (const [path, headers, status] of [
      ['_next/webpack-hmr', {}, 404],
      ['operations', {}, 404],
      ['graphql', { origin: 'http://evil.example' }, 403],
      ['graphql', { origin: 'null' }, 403],
    ] as const) {
      const socket = new WebSocket(socketUrl + path, 'graphql-transport-ws', { headers });
      const answer = await new Promise<number>((resolve, reject) => {
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
        socket.once('open', () => reject(new Error(`${path} was opened`)));
        socket.once('error', reject);
      });
      assert.equal(answer, status, path);
    }
  });

  await t.test('another link is printed for whoever holds the token', async () => {
    const { url, expiresAt } = (await product.cli('sign-in', '--json')).json<{
      url: string;
      expiresAt: string;
    }>();
    assert.ok(url.startsWith(`${product.url}sign-in#`), url);
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    assert.ok(minutes > 14 && minutes <= 15, expiresAt);
  });
});
