import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appPack, HOST_PACK, hostCapability, job, pack, planned } from './planning.test-support.js';

const capabilities = [hostCapability('cap.a')];

test('[design 4.7] risk is the highest of scenario and jobs, inserted ones included', () => {
  const risk = (scenario: 'low' | 'medium', of: 'low' | 'critical') =>
    planned({ packs: [appPack({ jobs: [job('x', { risk: of })], scenario: { risk: scenario } }), HOST_PACK] })
      .risk;
  assert.deepEqual(
    [risk('low', 'low'), risk('medium', 'low'), risk('medium', 'critical')],
    ['low', 'medium', 'critical'],
  );
  const careful = pack('host', {
    ...HOST_PACK,
    jobs: HOST_PACK.jobs.map((each) => ({ ...each, risk: 'medium' as const })),
  });
  assert.equal(
    planned({ packs: [appPack({ jobs: [job('x', { needs: ['ssh.access'] })] }), careful] }).risk,
    'medium',
  );
});

test('[design 4.7] the estimate is the critical path, and unknown while one job has none', () => {
  const timed = (id: string, p50Ms: number, spec = {}) =>
    job(id, { estimate: { p50Ms, p90Ms: p50Ms * 2 }, ...spec });
  const jobs = [
    timed('x', 1000, { gives: ['cap.a'] }),
    timed('y', 500, { needs: ['cap.a'] }),
    timed('z', 1200),
  ];
  assert.deepEqual(planned({ packs: [appPack({ capabilities, jobs }), HOST_PACK] }).estimate, {
    p50Ms: 1500,
    p90Ms: 3000,
  });
  assert.equal(
    planned({ packs: [appPack({ capabilities, jobs: [...jobs, job('unknown')] }), HOST_PACK] }).estimate,
    null,
  );
});
