import pg from 'pg';
import type { DatabaseConnection } from '../connection.js';

/** The schema `public` of a database as text: what it is, in one order, whatever order the migrations took. */
export async function readSchema(connection: DatabaseConnection): Promise<string> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    const tables = await client.query<TableRow>(TABLES);
    const columns = await client.query<PartRow>(COLUMNS);
    const constraints = await client.query<PartRow>(CONSTRAINTS);
    const indexes = await client.query<PartRow>(INDEXES);
    const sequences = await client.query<{ definition: string }>(SEQUENCES);
    const of = (rows: readonly PartRow[], table: string) =>
      rows.filter((row) => row.table === table).map((row) => row.definition);
    const parts = tables.rows.map(({ table, options }) => {
      const lines = [...of(columns.rows, table), ...of(constraints.rows, table)].map((line) => `  ${line}`);
      const created = `create table ${table} (\n${lines.join(',\n')}\n)${options ? ` with (${options})` : ''};`;
      return [created, ...of(indexes.rows, table).map((line) => `${line};`)].join('\n');
    });
    const head =
      '-- The schema that the migrations leave, read from the catalog. Written by packages/postgres/scripts/dump-schema.ts.';
    return `${[head, ...sequences.rows.map((row) => `${row.definition};`), ...parts].join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}

interface TableRow {
  readonly table: string;
  readonly options: string | null;
}

interface PartRow {
  readonly table: string;
  readonly definition: string;
}

const TABLES = `select c.relname as table, array_to_string(c.reloptions, ', ') as options
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname collate "C"`;

const COLUMNS = `select c.relname as table, a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attcollation <> t.typcollation then ' collate ' || quote_ident(co.collname) else '' end
    || case when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
    || case when a.attnotnull then ' not null' else '' end as definition
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid left join pg_collation co on co.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname collate "C", a.attnum`;

/** NOT NULL stands at the column: as a constraint of its own it exists only from PostgreSQL 18 on. */
const CONSTRAINTS = `select c.relname as table, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where k.connamespace = 'public'::regnamespace and k.contype <> 'n' order by c.relname collate "C", k.contype, k.conname collate "C"`;

const INDEXES = `select i.tablename as table, i.indexdef as definition from pg_indexes i
  where i.schemaname = 'public' and not exists (select from pg_constraint k where k.conindid = (quote_ident(i.indexname))::regclass)
  order by i.tablename collate "C", i.indexname collate "C"`;

const SEQUENCES = `select 'create sequence ' || s.sequencename as definition from pg_sequences s
  join pg_class c on c.relname = s.sequencename and c.relnamespace = 'public'::regnamespace
  where s.schemaname = 'public' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')
  order by s.sequencename collate "C"`;
