import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '@capstan/model';
import { reason } from '@capstan/model';
import type { Authorize } from './authorize.js';
import { Maintenance, type MaintenanceDependencies } from './maintenance.js';
import type { AttemptRef, HostConnection } from './ports/host-port.js';
import type { DueFolder, PruneItem, RetentionAges } from './ports/maintenance.js';
import { testHost } from './testing/memory-engine.js';
import { MemoryRequests } from './testing/memory-requests.js';

const ADA: Actor = { kind: 'human', id: 'ada' };
const AGES: RetentionAges = {
  logsMs: 1,
  failedLogsMs: 1,
  logBytes: 1,
  eventsMs: 1,
  succeededFoldersMs: 1,
  otherFoldersMs: 1,
  idempotencyMs: 1,
};
const LOGS: PruneItem = { kind: 'logs', objects: 2, bytes: 10 };

function folder(host: string, attemptId: string): DueFolder {
  return {
    host,
    ref: { attemptId, operationId: 'op_1', nodeKey: 'a', number: 1, fence: '1.1.1', runRoot: '/r' },
  };
}

function maintenance(
  folders: readonly DueFolder[],
  blocked: readonly string[] = [],
  more: { authorize?: Authorize; busy?: boolean; pruned?: readonly PruneItem[] } = {},
) {
  const forgotten: string[] = [];
  const marked: string[] = [];
  const audited: unknown[] = [];
  const gone = new Set<string>();
  let turns = 1;
  const hosts = ['h1', 'h2'].map(testHost);
  const deps: MaintenanceDependencies = {
    retention: {
      due: () => Promise.resolve([LOGS]),
      prune: () => Promise.resolve(more.pruned ?? [LOGS]),
      folders: () => Promise.resolve(folders.filter(({ ref }) => !gone.has(ref.attemptId))),
      forgotten(attemptId) {
        marked.push(attemptId);
        gone.add(attemptId);
        return Promise.resolve();
      },
      alone: async (work) => (more.busy ? null : { value: await work() }),
      claimTurn: () => Promise.resolve(turns-- > 0),
    },
    keys: {
      rotate: () =>
        Promise.resolve(
          more.busy
            ? { kind: 'busy' }
            : { kind: 'rotated', former: 'k1', current: 'k2', rewrapped: 3, resumed: false },
        ),
    },
    audit: {
      record({ actor, action, detail }) {
        audited.push([actor, action, detail]);
        return Promise.resolve();
      },
    },
    requests: new MemoryRequests(),
    inventory: { hosts: () => Promise.resolve(hosts) },
    hosts: {
      forget(host: HostConnection, ref: AttemptRef) {
        if (blocked.includes(host.name))
          return Promise.resolve({ kind: 'blocked', reason: reason('unreachable', { host: host.key }) });
        forgotten.push(`${host.name} ${ref.attemptId} ${ref.secretRoot}`);
        return Promise.resolve({ kind: 'forgotten' });
      },
    },
    ...(more.authorize ? { authorize: more.authorize } : {}),
  };
  return { it: new Maintenance(deps, AGES), forgotten, marked, audited };
}

test('[S13] a dry run counts folders and touches no host', async () => {
  const { it, forgotten, marked, audited } = maintenance([folder('node/h1', 'a1'), folder('node/h2', 'a2')]);
  const report = await it.due(ADA);
  assert.deepEqual(report, {
    ok: true,
    value: {
      dryRun: true,
      items: [LOGS, { kind: 'run_folders', objects: 2, bytes: null }],
      left: [],
      complete: true,
    },
  });
  assert.deepEqual([forgotten, marked, audited], [[], [], []]);
});

test('[S13] a folder is marked only after its host said that it is gone; a host that is away holds up no other', async () => {
  const folders = [
    folder('node/gone', 'a0'),
    folder('node/h1', 'a1'),
    folder('node/h1', 'a2'),
    folder('node/h2', 'a3'),
  ];
  const { it, forgotten, marked, audited } = maintenance(folders, ['h1']);
  const report = await it.prune(ADA, 'k1');
  assert.ok(report.ok);
  assert.deepEqual(marked, ['a3']);
  assert.deepEqual(forgotten, [`h2 a3 ${testHost('h2').secretRoot}`]);
  assert.deepEqual(
    report.value.left.map(({ host, folders: n, reason: why }) => [host, n, why?.code ?? null]),
    [
      ['node/gone', 1, null],
      ['node/h1', 2, 'unreachable'],
    ],
  );
  assert.deepEqual(audited, [['human:ada', 'retention.prune', { logs: 2, run_folders: 1 }]]);
});

test('the daily run is done by one process, and a run that removed nothing writes nothing', async () => {
  const { it, audited } = maintenance([], [], { pruned: [] });
  const signal = new AbortController().signal;
  const [first, second] = [await it.pruneDaily(ADA, 1000, signal), await it.pruneDaily(ADA, 1000, signal)];
  assert.deepEqual(first, { dryRun: false, items: [], left: [], complete: true });
  assert.equal(second, null);
  assert.deepEqual(audited, []);
});

test('a run that is stopped leaves the other hosts for the next one', async () => {
  const stop = new AbortController();
  stop.abort();
  const { it, marked } = maintenance([folder('node/h1', 'a1')]);
  const report = await it.pruneDaily(ADA, 1000, stop.signal);
  assert.equal(report?.complete, false);
  assert.deepEqual(marked, []);
});

test('[L10] a rotation of the key is audited at both ends, with the ids of the keys only', async () => {
  const { it, audited } = maintenance([]);
  const value = { former: 'k1', current: 'k2', rewrapped: 3, resumed: false };
  assert.deepEqual(await it.rotateKey(ADA, 'k1'), { ok: true, value });
  assert.deepEqual(await it.rotateKey(ADA, 'k1'), { ok: true, value }, 'the same request');
  assert.deepEqual(audited, [
    ['human:ada', 'secrets.rotate_kek_begin', {}],
    ['human:ada', 'secrets.rotate_kek', value],
  ]);
});

test('whoever comes second is told so, and whoever may not is refused before anything is asked', async () => {
  const { it } = maintenance([], [], { busy: true });
  for (const outcome of [await it.prune(ADA, 'k1'), await it.rotateKey(ADA, 'k1')])
    assert.equal(outcome.ok ? null : outcome.problems[0]?.code, 'conflict');
  const asked: string[] = [];
  const { it: closed, audited } = maintenance([], [], {
    authorize: (_, verb, object) => {
      asked.push(`${verb} ${object}`);
      return Promise.resolve({ code: 'not_allowed', text: { code: 'x', args: {} } });
    },
  });
  const signal = new AbortController().signal;
  assert.equal(await closed.pruneDaily(ADA, 1000, signal), null);
  for (const outcome of [
    await closed.due(ADA),
    await closed.prune(ADA, 'k'),
    await closed.rotateKey(ADA, 'k'),
  ])
    assert.equal(outcome.ok ? null : outcome.problems[0]?.code, 'not_allowed');
  assert.deepEqual(asked, [
    'maintain retention',
    'maintain retention',
    'maintain retention',
    'maintain secrets',
  ]);
  assert.deepEqual(audited, []);
});
