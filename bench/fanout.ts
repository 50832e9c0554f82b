import { testPlan } from '@capstan/engine/testing';
import { compare } from './compare.js';
import { fanoutFloor } from './fanout-floor.js';
import { openProductPath } from './product-path.js';

/** 1,000 independent no-op jobs, 100 at a time, each proved by a check, beside a floor that only sets states in groups. */
const WIDTH = 1000;
const CONCURRENCY = 100;
const path = await openProductPath({ capacity: CONCURRENCY });
const floor = await fanoutFloor(path.connection, WIDTH, CONCURRENCY);
try {
  await compare(
    'fanout',
    { floor: () => floor.run(), ours: (i, count) => path.run(wide(i), count) },
    { width: WIDTH, concurrency: CONCURRENCY },
  );
} finally {
  await floor.stop();
  await path.stop();
}

function wide(i: number): ReturnType<typeof testPlan> {
  return testPlan(
    Array.from({ length: WIDTH }, (_, n) => ({ key: `n${n}`, checks: { [`c${n}`]: {} } })),
    { subject: { key: `thing/fan-${i}`, type: 'thing', name: `fan-${i}` } },
  );
}
