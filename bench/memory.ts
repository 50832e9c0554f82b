import { loadavg } from 'node:os';
import { testPlan } from '@capstan/engine/testing';
import { round } from './measure.js';
import { openProductPath } from './product-path.js';

/** Growth of the worker process between job 200 and job 1,000 of a chain: what is finished must not stay in memory. */
const path = await openProductPath();
try {
  await path.run(chain('warm', 200));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  await path.run(chain('long', 800));
  globalThis.gc?.();
  const grown = round((process.memoryUsage().rss - before) / 1024 / 1024);
  const result = {
    name: 'memory',
    ours: grown,
    floor: null,
    ratio: null,
    unit: 'MB',
    runs: 1,
    load: loadavg().map(round),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.log(`memory: grown by ${grown} MB between job 200 and job 1,000 (load ${result.load[0]})`);
} finally {
  await path.stop();
}

function chain(name: string, jobs: number): ReturnType<typeof testPlan> {
  return testPlan(
    Array.from({ length: jobs }, (_, n) => ({
      key: `n${n}`,
      after: n === 0 ? [] : [`n${n - 1}`],
      checks: { [`c${n}`]: {} },
    })),
    { subject: { key: `thing/${name}`, type: 'thing', name } },
  );
}
