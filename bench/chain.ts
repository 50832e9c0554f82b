import { testPlan } from '@capstan/engine/testing';
import { chainFloor } from './chain-floor.js';
import { compare } from './compare.js';
import { openProductPath } from './product-path.js';

/** A chain of 40 no-op jobs, each proved by a check, beside one statement and one commit per transition. */
const JOBS = 40;
const path = await openProductPath();
const floor = await chainFloor(path.connection, JOBS);
try {
  await compare(
    'chain',
    { floor: () => floor.run(), ours: (i, count) => path.run(chain(i), count) },
    { jobs: JOBS },
  );
} finally {
  await floor.stop();
  await path.stop();
}

function chain(i: number): ReturnType<typeof testPlan> {
  return testPlan(
    Array.from({ length: JOBS }, (_, n) => ({
      key: `n${n}`,
      after: n === 0 ? [] : [`n${n - 1}`],
      checks: { [`c${n}`]: {} },
    })),
    { subject: { key: `thing/chain-${i}`, type: 'thing', name: `chain-${i}` } },
  );
}
