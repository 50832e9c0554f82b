import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PruneReport } from '@capstan/engine';
import { pruneDaily } from './prune-daily.js';

const REPORT: PruneReport = {
  dryRun: false,
  items: [{ kind: 'logs', objects: 1, bytes: 2 }],
  left: [],
  complete: true,
};

test('a worker looks again and again, survives a failure, says what went, and ends at once', async () => {
  const answers: (() => Promise<PruneReport | null>)[] = [
    () => Promise.resolve(null),
    () => Promise.reject(new Error('the database is away')),
    () => Promise.resolve(REPORT),
  ];
  const said: string[] = [];
  let asked = 0;
  let enough = (): void => undefined;
  const three = new Promise<void>((resolve) => (enough = resolve));
  const pruning = pruneDaily(
    {
      pruneDaily(actor, everyMs) {
        assert.deepEqual([actor, everyMs], [{ kind: 'service', id: 'worker' }, 86_400_000]);
        const answer = answers[asked++];
        if (!answer) enough();
        return answer?.() ?? Promise.resolve(null);
      },
    },
    {
      info: (detail: unknown, words?: unknown) =>
        void said.push(`${String(words)} ${JSON.stringify(detail)}`),
      error: (_detail: unknown, words?: unknown) => void said.push(String(words)),
    },
    { firstMs: 1, lookMs: 1 },
  );
  await three;
  await pruning.stop();
  const after = asked;
  assert.deepEqual(said, [
    'retention was not finished; what is left goes with the next run',
    `retention was applied ${JSON.stringify({ items: REPORT.items, left: [] })}`,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(asked, after);
});

test('a stop before the first look ends it at once', async () => {
  const pruning = pruneDaily(
    { pruneDaily: () => Promise.reject(new Error('too early')) },
    { info: () => undefined, error: () => assert.fail('nothing was asked yet') },
  );
  await pruning.stop();
});
