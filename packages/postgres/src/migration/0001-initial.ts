/**
 * Keys are compared byte by byte (COLLATE "C"): an embedded cluster without locale and a server with one must order the
 * same list alike. Documents are `json`, not `jsonb`: what a host or a pack said is kept as written, and a NUL or half a
 * surrogate pair in it cannot refuse a write. Rows that move often leave room in their page and have no index on what
 * moves, so an update touches no index.
 */
export const initial = {
  version: 1,
  name: 'initial',
  sql: `
create table installation (
  singleton boolean primary key default true check (singleton),
  feed_epoch text not null,
  system_identifier text not null,
  created_at timestamptz(3) not null default now()
);

create table environments (
  id text collate "C" primary key,
  name text collate "C" not null unique,
  kind text not null,
  created_at timestamptz(3) not null default now()
);

create table resources (
  id text collate "C" primary key,
  environment_id text collate "C" not null references environments,
  key text collate "C" not null unique,
  type text collate "C" not null,
  attributes json not null default '{}',
  created_at timestamptz(3) not null default now()
);
create index resources_environment on resources (environment_id);

create table hosts (
  id text collate "C" primary key,
  resource_id text collate "C" not null unique references resources,
  environment_id text collate "C" not null references environments,
  name text collate "C" not null unique,
  address text not null,
  port integer not null,
  user_name text not null,
  credential text not null,
  host_key_fingerprint text,
  run_root text,
  secret_root text,
  provenance text not null,
  isolated boolean not null,
  tier text not null,
  created_at timestamptz(3) not null default now()
);

create table facts (
  resource text collate "C" not null,
  capability text collate "C" not null,
  state text not null,
  attributes json not null,
  provenance text not null,
  evidence text[] not null,
  check_digest text not null,
  pack_version text not null,
  proved_at timestamptz(3) not null,
  fresh_until timestamptz(3),
  changed_at timestamptz(3) not null,
  primary key (resource, capability)
) with (fillfactor = 80);

create table artifacts (
  id text collate "C" primary key,
  owner text collate "C" not null,
  name text collate "C" not null,
  version integer not null,
  sensitive boolean not null,
  size bigint not null,
  content_hash text not null,
  storage_kind text not null,
  storage_ref text not null,
  keep text not null,
  operation_id text collate "C",
  node_key text collate "C",
  attempt_id text collate "C",
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  unique (owner, name, version)
);
create index artifacts_operation on artifacts (operation_id);

create table blobs (
  hash text collate "C" primary key,
  size bigint not null,
  bytes bytea not null,
  created_at timestamptz(3) not null default now()
);

create table secrets (
  id text collate "C" primary key,
  environment_id text collate "C" not null references environments,
  name text collate "C" not null,
  version integer not null,
  key_id text collate "C" not null,
  wrapped_key bytea not null,
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  unique (environment_id, name, version)
);

create table packs (
  digest text collate "C" primary key,
  name text collate "C" not null,
  version text not null,
  document json not null,
  active boolean not null default false,
  saved_at timestamptz(3) not null default now()
);

create table pack_files (
  pack_digest text collate "C" not null references packs,
  path text collate "C" not null,
  bytes bytea not null,
  primary key (pack_digest, path)
);

create table plans (
  id text collate "C" primary key,
  revision integer not null,
  hash text not null,
  scenario text not null,
  document json not null,
  created_at timestamptz(3) not null default now()
);

create table workers (
  owner text collate "C" primary key,
  event_version smallint not null,
  started_at timestamptz(3) not null default now(),
  beat_at timestamptz(3) not null default now(),
  lease_until timestamptz(3) not null
) with (fillfactor = 60);

create table wake_pools (
  pool_id text collate "C" primary key,
  beat_at timestamptz(3) not null default now()
) with (fillfactor = 60);

create sequence operation_numbers;

create table operations (
  id text collate "C" primary key,
  number bigint not null unique,
  parent_operation_id text collate "C" references operations,
  environment_id text collate "C" not null references environments,
  resource_id text collate "C" not null references resources,
  plan_id text collate "C" not null references plans,
  subject text collate "C" not null,
  title text not null,
  status text not null,
  reason json,
  last_seq bigint not null,
  last_commit uuid,
  driver text collate "C",
  driver_fence bigint not null default 0,
  driver_lease_until timestamptz(3),
  wake_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
) with (fillfactor = 50);
create unique index operations_one_per_subject on operations (subject) where ended_at is null;
create index operations_subject on operations (subject, number);

create table nodes (
  operation_id text collate "C" not null references operations,
  key text collate "C" not null,
  plan_revision integer not null,
  ordinal integer not null,
  kind text not null,
  stage text collate "C" not null,
  status text not null,
  reason json,
  pending integer not null,
  attempt integer not null,
  attempt_id text collate "C",
  tries integer not null,
  sequence bigint not null,
  ready_sequence bigint not null,
  primary key (operation_id, key)
) with (fillfactor = 60);

create table edges (
  operation_id text collate "C" not null references operations,
  source text collate "C" not null,
  target text collate "C" not null,
  primary key (operation_id, source, target)
);

create table stages (
  operation_id text collate "C" not null references operations,
  id text collate "C" not null,
  ordinal integer not null,
  status text not null,
  done integer not null,
  total integer not null,
  sequence bigint not null,
  primary key (operation_id, id)
) with (fillfactor = 50);

create table attempts (
  id text collate "C" primary key,
  operation_id text collate "C" not null,
  node_key text collate "C" not null,
  number integer not null,
  host text collate "C" not null,
  run_root text not null,
  fence text not null,
  bundle_hash text not null,
  status text not null,
  reason json,
  incarnation text,
  run_end json,
  ended_sequence bigint not null,
  sequence bigint not null,
  owner text collate "C",
  lease_until timestamptz(3),
  started_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  unique (operation_id, node_key, number)
) with (fillfactor = 50);

create table events (
  operation_id text collate "C" not null,
  sequence bigint not null,
  id bigint generated always as identity,
  tx xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default now(),
  v smallint not null,
  type text not null,
  actor text not null,
  node_key text collate "C",
  attempt_id text collate "C",
  data json,
  primary key (operation_id, sequence)
);
create index events_across on events (tx, id);

create table evidence (
  id text collate "C" primary key,
  operation_id text collate "C" not null,
  node_key text collate "C",
  attempt_id text collate "C",
  check_id text collate "C" not null,
  check_digest text not null,
  subject text collate "C" not null,
  from_host text collate "C" not null,
  expected text not null,
  observed text not null,
  attributes json not null,
  raw_hash text not null,
  verdict text not null,
  provenance text not null,
  at timestamptz(3) not null,
  fresh_until timestamptz(3),
  started_after bigint not null,
  recorded_at timestamptz(3) not null default now()
);
create index evidence_operation on evidence (operation_id);

create table proven_inputs (
  subject text collate "C" not null,
  job text collate "C" not null,
  target text collate "C" not null,
  input_hash text not null,
  attempt_id text collate "C" not null,
  proved_at timestamptz(3) not null default now(),
  primary key (subject, job, target)
) with (fillfactor = 80);

create table attempt_logs (
  attempt_id text collate "C" primary key,
  size bigint not null,
  complete boolean not null default false,
  edition integer not null default 0
) with (fillfactor = 50);

create table log_chunks (
  attempt_id text collate "C" not null,
  start bigint not null,
  bytes bytea not null,
  primary key (attempt_id, start)
);

create table idempotency (
  subject text collate "C" not null,
  mutation text collate "C" not null,
  key text collate "C" not null,
  input_hash text not null,
  operation_id text collate "C",
  sequence bigint,
  at timestamptz(3) not null default now(),
  primary key (subject, mutation, key)
);
create index idempotency_at on idempotency (at);

create table tokens (
  id text collate "C" primary key,
  environment_id text collate "C" references environments,
  name text not null,
  hash text collate "C" not null unique,
  created_at timestamptz(3) not null default now()
);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  actor text not null,
  action text not null,
  object text collate "C" not null,
  detail json not null
);

insert into environments (id, name, kind) values ('env_default', 'default', 'standard');
`,
};
