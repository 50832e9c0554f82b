import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IdempotencyKey } from '@capstan/engine';
import { ok, refused, text } from '@capstan/model';
import { fileDatabase } from './file-database.js';

const { db, sql } = await fileDatabase();

const NO = { code: 'not_found', text: text('host.not_found', { host: 'x' }) } as const;

function key(name: string, inputHash = 'h'): IdempotencyKey {
  return { subject: 'human:ada', mutation: 'test', key: name, inputHash };
}

async function audited(action: string): Promise<number> {
  const { rows } = await sql.query('select count(*)::int as n from audit where action = $1', [action]);
  return rows[0].n;
}

const note = (action: string) => db.audit.record({ actor: 'human:ada', action, object: 'x', detail: {} });

test('[L6] a request is made once: the same key gives the kept answer, another input is a conflict', async () => {
  let made = 0;
  const effect = async () => {
    made += 1;
    await note('once');
    return ok({ made, deep: { list: [1, null, 'é'] } });
  };
  const first = await db.requests.once(key('a'), effect);
  assert.deepEqual(first, {
    kind: 'answered',
    repeated: false,
    outcome: ok({ made: 1, deep: { list: [1, null, 'é'] } }),
  });
  assert.deepEqual(await db.requests.once(key('a'), effect), { ...first, repeated: true });
  assert.deepEqual(await db.requests.once(key('a', 'other'), effect), { kind: 'conflict' });
  assert.equal(await audited('once'), 1);
});

test('[L9] a refusal takes back everything that was written with it, hosts, secrets, audit and key', async () => {
  const effect = (accept: boolean) => async () => {
    await db.inventory.addEnvironment({ name: 'half', kind: 'standard' });
    await db.secrets.put('half', 'host/x/key', new TextEncoder().encode('s'));
    await note('half');
    return accept ? ok({ fine: true }) : refused(NO);
  };
  const refusal = await db.requests.once(key('b'), effect(false));
  assert.deepEqual(refusal, { kind: 'answered', repeated: false, outcome: refused(NO) });
  const names = async () => (await db.inventory.environments()).map((one) => one.name);
  assert.deepEqual([await audited('half'), (await names()).includes('half')], [0, false]);
  assert.ok((await db.requests.once(key('b'), effect(true))).kind === 'answered');
  assert.deepEqual([await audited('half'), (await names()).includes('half')], [1, true]);
});

test('[L9] what throws leaves nothing either, and the error is the one that was thrown', async () => {
  const broken = db.requests.once(key('c'), async () => {
    await note('broken');
    throw new Error('a bug');
  });
  await assert.rejects(broken, /a bug/);
  assert.equal(await audited('broken'), 0);
});

test('[C11] eight of one key at once make the effect once and answer alike', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      db.requests.once(key('d'), async () => {
        await note('at once');
        return ok({ by: i });
      }),
    ),
  );
  assert.equal(await audited('at once'), 1);
  const said = answers.map((one) => (one.kind === 'answered' && one.outcome.ok ? one.outcome.value.by : -1));
  assert.deepEqual(new Set(said).size, 1);
});

test('an effect that no transaction holds is begun once, known as unfinished, and answered from what was kept', async () => {
  assert.deepEqual(await db.requests.begin(key('e')), { kind: 'new' });
  assert.deepEqual(await db.requests.begin(key('e')), { kind: 'unfinished' });
  assert.deepEqual(await db.requests.begin(key('e', 'other')), { kind: 'conflict' });
  await db.requests.end(key('e'), { removed: 3 });
  assert.deepEqual(await db.requests.begin(key('e')), { kind: 'ended', answer: { removed: 3 } });
});
