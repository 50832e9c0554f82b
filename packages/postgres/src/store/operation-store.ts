import type { Lease, OperationStore } from '@capstan/engine';
import { EVENT_VERSION } from '@capstan/model';
import type pg from 'pg';
import { overLostConnections } from '../lost-connection.js';
import { DUE } from '../sql/due.js';
import type { LeaseRow } from '../sql/lease.js';
import { LEASE } from '../sql/lease.js';
import type { OperationRow } from '../sql/load-operation.js';
import { LOAD_OPERATION } from '../sql/load-operation.js';
import { RELEASE } from '../sql/release.js';
import { RENEW } from '../sql/renew.js';
import { run } from '../sql/statement.js';
import { transaction } from '../transaction.js';
import { commandOperation } from './command-operation.js';
import { commitOperation } from './commit-operation.js';
import { createOperation } from './create-operation.js';
import { readOperation, refArguments } from './operation-rows.js';

/** One snapshot for all parts: a commit between two reads would give nodes of a later sequence than the operation's. */
const SNAPSHOT = 'begin isolation level repeatable read read only';

/** The store of operations over a pool whose sessions plan each prepared statement once. */
export function operationStore(pool: pg.Pool): OperationStore {
  return {
    create: (operation) => createOperation(pool, operation),
    load: (ref) =>
      overLostConnections(() =>
        transaction(
          pool,
          async (client) => {
            const { rows } = await run<OperationRow>(client, LOAD_OPERATION, refArguments(ref));
            return { keep: true, value: rows[0] ? await readOperation(client, rows[0]) : null };
          },
          SNAPSHOT,
        ),
      ),
    async lease(operationId, owner, leaseMs): Promise<Lease | null> {
      const { rows } = await overLostConnections(() =>
        run<LeaseRow>(pool, LEASE, [operationId, owner, leaseMs]),
      );
      const [row] = rows;
      if (!row) return null;
      return {
        operationId,
        owner,
        counter: row.counter,
        fence: `${row.system}.${row.timeline}.${row.counter}`,
      };
    },
    async renew(owner, leaseMs) {
      const { rows } = await overLostConnections(() =>
        run<{ id: string }>(pool, RENEW, [owner, leaseMs, EVENT_VERSION]),
      );
      return new Set(rows.map((row) => row.id));
    },
    async release(lease) {
      await overLostConnections(() => run(pool, RELEASE, [lease.operationId, lease.owner, lease.counter]));
    },
    commit: (lease, change) => commitOperation(pool, lease, change),
    command: (ref, idempotency, decide) => commandOperation(pool, ref, idempotency, decide),
    async due(limit) {
      const { rows } = await overLostConnections(() => run<{ id: string }>(pool, DUE, [limit]));
      return rows.map((row) => row.id);
    },
  };
}
