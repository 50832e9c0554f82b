/**
 * What was removed leaves a tombstone, so that a reader is told of the gap and nobody takes it for a loss. Its hash is over
 * the hashes of the removed rows or chunks in their order: it is made without moving the bytes.
 */
export const retention = {
  version: 2,
  name: 'retention',
  sql: `
alter table installation
  add column key_id text collate "C",
  add column pruned_at timestamptz(3);

alter table attempt_logs
  add column cut_from bigint,
  add column cut_to bigint,
  add column pruned_at timestamptz(3);

alter table attempts add column forgotten_at timestamptz(3);

create table tombstones (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  actor text not null,
  kind text collate "C" not null,
  operation_id text collate "C",
  attempt_id text collate "C",
  first_sequence bigint,
  last_sequence bigint,
  objects bigint not null,
  bytes bigint,
  sha256 text
);
create index tombstones_operation on tombstones (operation_id, kind);
`,
};
