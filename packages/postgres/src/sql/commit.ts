import type { OperationChange } from '@capstan/engine';
import { isEnd } from '@capstan/model';
import { jsonText } from '../storable.js';
import type { CommitPart } from './commit-parts.js';
import { COMMIT_PARTS } from './commit-parts.js';
import type { Statement } from './statement.js';

/**
 * One transition of one operation as one statement (L9, S12). Its first part is the lock and the check; every other
 * part selects from it, so a late writer changes 0 rows. What is empty is left out, so that the usual transition stays
 * lean; each variant is a prepared statement of its own.
 */
export function commitStatement(
  change: OperationChange,
  commitId: string,
  driver: { readonly owner: string; readonly counter: number } | null,
): { readonly statement: Statement; readonly values: unknown[] } {
  const values: unknown[] = [
    change.operationId,
    change.expectedSequence,
    change.sequence,
    change.status,
    jsonText(change.reason),
    isEnd(change.status),
    change.wakeInMs,
    commitId,
  ];
  if (driver) values.push(driver.owner, driver.counter);
  let name = driver ? 'commit' : 'command';
  const used: UsedPart[] = [];
  for (const [index, part] of COMMIT_PARTS.entries()) {
    const { count, columns } = part.rows(change);
    if (count === 0) continue;
    const few = count <= FEW;
    used.push({ part, few, first: values.length + 1 });
    values.push(...columns);
    if (few || part.updates) values.push(count);
    name += `_${index}${few ? '' : 'm'}`;
  }
  let statement = known.get(name);
  if (!statement) {
    statement = { name, text: commitText(driver !== null, used) };
    known.set(name, statement);
  }
  return { statement, values };
}

/** Building the text takes longer than sending what it is filled with. */
const known = new Map<string, Statement>();

interface UsedPart {
  readonly part: CommitPart;
  readonly few: boolean;
  /** Number of its first argument; where the count of its rows is asked for, it comes after the columns. */
  readonly first: number;
}

function commitText(fenced: boolean, used: readonly UsedPart[]): string {
  const withs = used.map(({ part, few, first }) =>
    part.sql(few ? fewRows(part, first) : manyRows(part, first)),
  );
  const answers = used
    .filter(({ part }) => part.updates)
    // A row that is not there is a bug of ours; dividing by zero takes the whole statement back.
    .map(
      ({ part, first }) =>
        `1 / (((select count(*) from new_${part.name}) = $${first + part.columns.length}::int)::int)`,
    );
  const head = fenced
    ? `${SET}, ${GIVE_BACK} ${WHERE} and driver = $9 and driver_fence = $10 returning id)`
    : `${SET} ${WHERE} returning id)`;
  return `with ${[head, ...withs].join(',\n')}\nselect ${['id', ...answers].join(', ')} from op`;
}

const SET = `op as (update operations set last_seq = $3, status = $4, reason = $5, last_commit = $8,
    wake_at = now() + $7::float8 * interval '1 millisecond', ended_at = case when $6::boolean then now() end`;

/** The end gives the lease back in the same commit: one of its own would be one more wait for the disk. */
const GIVE_BACK = `driver = case when $6::boolean then null else driver end,
    driver_lease_until = case when $6::boolean then null else driver_lease_until end`;

const WHERE = 'where id = $1 and last_seq = $2';

/** Up to here reading the arrays by number is cheaper: `unnest` sets up one function per column for each execution. */
const FEW = 16;

function fewRows(part: CommitPart, first: number): string {
  const columns = part.columns.map(([name, type], i) => `($${first + i}::${type}[])[g] as ${name}`);
  return `(select g as place, ${columns.join(', ')} from generate_series(1, $${first + columns.length}::int) g) u`;
}

function manyRows(part: CommitPart, first: number): string {
  const arrays = part.columns.map(([, type], i) => `$${first + i}::${type}[]`);
  return `unnest(${arrays.join(', ')}) with ordinality u (${part.columns.map(([name]) => name).join(', ')}, place)`;
}
