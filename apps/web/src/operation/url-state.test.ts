import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedUrl, parseUrl } from './url-state';

const parsed = (query: string) => parseUrl(new URLSearchParams(query));
const changed = (query: string, change: Parameters<typeof changedUrl>[1]) =>
  changedUrl(new URLSearchParams(query), change);

test('[UX-R2] view, node, tab, attempt, opened stacks and viewport survive a link', () => {
  const query = changed('', {
    view: 'graph',
    node: 'join[w3]',
    tab: 'evidence',
    attempt: 2,
    open: ['stack:join/k:join', 'stack:a/b'],
    viewport: { x: -10, y: 20, zoom: 0.8 },
  });
  assert.deepEqual(parsed(query), {
    view: 'graph',
    node: 'join[w3]',
    nodeTab: 'evidence',
    operationTab: 'evidence',
    attempt: 2,
    open: ['stack:join/k:join', 'stack:a/b'],
    viewport: { x: -10, y: 20, zoom: 0.8 },
  });
});

test('a link with nonsense is the simple view of the operation', () => {
  assert.deepEqual(parsed('view=x&tab=y&attempt=-1&at=1,2'), {
    view: 'simple',
    node: null,
    nodeTab: 'log',
    operationTab: 'attention',
    attempt: null,
    open: [],
    viewport: null,
  });
});

test('another node forgets the attempt and keeps the tab; no node at all has other tabs', () => {
  assert.equal(
    changed('view=graph&node=a&tab=evidence&attempt=3', { node: 'b' }),
    'view=graph&node=b&tab=evidence',
  );
  assert.equal(changed('node=a&tab=contract&attempt=3', { node: null }), '');
  assert.equal(changed('node=a&tab=log&attempt=3', { node: 'a' }), 'node=a&tab=log&attempt=3');
  assert.equal(changed('view=list', { view: 'simple' }), '');
});
