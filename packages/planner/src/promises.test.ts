import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appCapability,
  appPack,
  HOST_PACK,
  hostCapability,
  job,
  planned,
  problemsOf,
  stage,
} from './planning.test-support.js';

const capabilities = [appCapability('app.up'), hostCapability('app.node')];
const jobs = [
  job('join', { gives: ['app.node'] }),
  job('serve', { at: 'first(web)', gives: [{ capability: 'app.up', attributes: { port: 80, tls: false } }] }),
];
const promise = (provides: Parameters<typeof appPack>[0]['scenario']) => [
  appPack({ capabilities, jobs, scenario: provides ?? {} }),
  HOST_PACK,
];

test('[S4] declared provides are bound to the checks of the nodes that give them', () => {
  const packs = promise({
    provides: [
      { capability: 'app.up', attributes: { tls: true } },
      { capability: 'app.node', on: { kind: 'all', set: 'web' } },
    ],
  });
  const plan = planned({ packs, intent: { hosts: ['a', 'b'] } });
  assert.deepEqual(
    plan.provides.map((p) => [
      p.capability,
      p.subject,
      p.attributes,
      p.bound.map((b) => [b.subject, b.from]),
    ]),
    [
      ['app.up', 'app/main', { port: 80, tls: true }, [['app/main', 'node/a']]],
      ['app.node', 'node/a', {}, [['node/a', 'node/a']]],
      ['app.node', 'node/b', {}, [['node/b', 'node/b']]],
    ],
  );
});

test('[S14] a promise of a host capability without on means every host that gets it', () => {
  const plan = planned({
    packs: promise({ provides: [{ capability: 'app.node' }] }),
    intent: { hosts: ['a', 'b'] },
  });
  assert.deepEqual(
    plan.provides.map((p) => p.subject),
    ['node/a', 'node/b'],
  );
});

test('[L1] a promise that no job gives is refused before anything runs', () => {
  const packs = [
    appPack({
      capabilities,
      jobs: [job('join', { gives: ['app.node'] })],
      scenario: { provides: [{ capability: 'app.up' }] },
    }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs }).map((p) => [p.code, p.text.args['capability'], p.text.args['subject']]),
    [['unmet_requirement', 'app.up', 'app/main']],
  );
  const empty = [
    appPack({ capabilities, jobs: [], scenario: { provides: [{ capability: 'app.up' }] } }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs: empty }).map((p) => p.code),
    ['unmet_requirement'],
  );
});

test('[S21] a stage keeps its own promises', () => {
  const stages = (promised: string) => [
    stage('one', ['join'], [], [promised]),
    stage('two', ['serve'], ['one']),
  ];
  assert.equal(
    planned({ packs: [appPack({ capabilities, jobs, stages: stages('app.node@all(web)') }), HOST_PACK] })
      .nodes.length,
    2,
  );
  assert.deepEqual(
    problemsOf({ packs: [appPack({ capabilities, jobs, stages: stages('app.up') }), HOST_PACK] }).map((p) => [
      p.code,
      p.text.args['where'],
    ]),
    [['unmet_requirement', 'stage one of scenario app.install']],
  );
});
