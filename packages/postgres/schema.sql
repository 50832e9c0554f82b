-- The schema that the migrations leave, read from the catalog. Written by packages/postgres/scripts/dump-schema.ts.

create sequence operation_numbers;

create table artifacts (
  id text collate "C" not null,
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
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone,
  constraint artifacts_pkey PRIMARY KEY (id),
  constraint artifacts_owner_name_version_key UNIQUE (owner, name, version)
);
CREATE INDEX artifacts_operation ON public.artifacts USING btree (operation_id);

create table attempt_logs (
  attempt_id text collate "C" not null,
  size bigint not null,
  complete boolean default false not null,
  edition integer default 0 not null,
  cut_from bigint,
  cut_to bigint,
  pruned_at timestamp(3) with time zone,
  constraint attempt_logs_pkey PRIMARY KEY (attempt_id)
) with (fillfactor=50);

create table attempts (
  id text collate "C" not null,
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
  lease_until timestamp(3) with time zone,
  started_at timestamp(3) with time zone default now() not null,
  ended_at timestamp(3) with time zone,
  forgotten_at timestamp(3) with time zone,
  constraint attempts_pkey PRIMARY KEY (id),
  constraint attempts_operation_id_node_key_number_key UNIQUE (operation_id, node_key, number)
) with (fillfactor=50);

create table audit (
  id bigint generated always as identity not null,
  at timestamp(3) with time zone default now() not null,
  actor text not null,
  action text not null,
  object text collate "C" not null,
  detail json not null,
  constraint audit_pkey PRIMARY KEY (id)
);

create table blobs (
  hash text collate "C" not null,
  size bigint not null,
  bytes bytea not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint blobs_pkey PRIMARY KEY (hash)
);

create table edges (
  operation_id text collate "C" not null,
  source text collate "C" not null,
  target text collate "C" not null,
  constraint edges_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id),
  constraint edges_pkey PRIMARY KEY (operation_id, source, target)
);

create table environments (
  id text collate "C" not null,
  name text collate "C" not null,
  kind text not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint environments_pkey PRIMARY KEY (id),
  constraint environments_name_key UNIQUE (name)
);

create table events (
  operation_id text collate "C" not null,
  sequence bigint not null,
  id bigint generated always as identity not null,
  tx xid8 default pg_current_xact_id() not null,
  at timestamp(3) with time zone default now() not null,
  v smallint not null,
  type text not null,
  actor text not null,
  node_key text collate "C",
  attempt_id text collate "C",
  data json,
  constraint events_pkey PRIMARY KEY (operation_id, sequence)
);
CREATE INDEX events_across ON public.events USING btree (tx, id);

create table evidence (
  id text collate "C" not null,
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
  at timestamp(3) with time zone not null,
  fresh_until timestamp(3) with time zone,
  started_after bigint not null,
  recorded_at timestamp(3) with time zone default now() not null,
  constraint evidence_pkey PRIMARY KEY (id)
);
CREATE INDEX evidence_operation ON public.evidence USING btree (operation_id);

create table facts (
  resource text collate "C" not null,
  capability text collate "C" not null,
  state text not null,
  attributes json not null,
  provenance text not null,
  evidence text[] not null,
  check_digest text not null,
  pack_version text not null,
  proved_at timestamp(3) with time zone not null,
  fresh_until timestamp(3) with time zone,
  changed_at timestamp(3) with time zone not null,
  constraint facts_pkey PRIMARY KEY (resource, capability)
) with (fillfactor=80);

create table hosts (
  id text collate "C" not null,
  resource_id text collate "C" not null,
  environment_id text collate "C" not null,
  name text collate "C" not null,
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
  created_at timestamp(3) with time zone default now() not null,
  constraint hosts_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id),
  constraint hosts_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id),
  constraint hosts_pkey PRIMARY KEY (id),
  constraint hosts_name_key UNIQUE (name),
  constraint hosts_resource_id_key UNIQUE (resource_id)
);

create table idempotency (
  subject text collate "C" not null,
  mutation text collate "C" not null,
  key text collate "C" not null,
  input_hash text not null,
  operation_id text collate "C",
  sequence bigint,
  at timestamp(3) with time zone default now() not null,
  result json,
  constraint idempotency_pkey PRIMARY KEY (subject, mutation, key)
);
CREATE INDEX idempotency_at ON public.idempotency USING btree (at);

create table installation (
  singleton boolean default true not null,
  feed_epoch text not null,
  system_identifier text not null,
  created_at timestamp(3) with time zone default now() not null,
  key_id text collate "C",
  pruned_at timestamp(3) with time zone,
  constraint installation_singleton_check CHECK (singleton),
  constraint installation_pkey PRIMARY KEY (singleton)
);

create table log_chunks (
  attempt_id text collate "C" not null,
  start bigint not null,
  bytes bytea not null,
  constraint log_chunks_pkey PRIMARY KEY (attempt_id, start)
);

create table nodes (
  operation_id text collate "C" not null,
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
  constraint nodes_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id),
  constraint nodes_pkey PRIMARY KEY (operation_id, key)
) with (fillfactor=60);

create table operations (
  id text collate "C" not null,
  number bigint not null,
  parent_operation_id text collate "C",
  environment_id text collate "C" not null,
  resource_id text collate "C" not null,
  plan_id text collate "C" not null,
  subject text collate "C" not null,
  title text not null,
  status text not null,
  reason json,
  last_seq bigint not null,
  last_commit uuid,
  driver text collate "C",
  driver_fence bigint default 0 not null,
  driver_lease_until timestamp(3) with time zone,
  wake_at timestamp(3) with time zone,
  created_by text not null,
  created_at timestamp(3) with time zone default now() not null,
  ended_at timestamp(3) with time zone,
  constraint operations_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id),
  constraint operations_parent_operation_id_fkey FOREIGN KEY (parent_operation_id) REFERENCES operations(id),
  constraint operations_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id),
  constraint operations_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id),
  constraint operations_pkey PRIMARY KEY (id),
  constraint operations_number_key UNIQUE (number)
) with (fillfactor=50);
CREATE UNIQUE INDEX operations_one_per_subject ON public.operations USING btree (subject) WHERE (ended_at IS NULL);
CREATE INDEX operations_parent ON public.operations USING btree (parent_operation_id) WHERE (parent_operation_id IS NOT NULL);
CREATE INDEX operations_subject ON public.operations USING btree (subject, number);

create table pack_files (
  pack_digest text collate "C" not null,
  path text collate "C" not null,
  bytes bytea not null,
  constraint pack_files_pack_digest_fkey FOREIGN KEY (pack_digest) REFERENCES packs(digest),
  constraint pack_files_pkey PRIMARY KEY (pack_digest, path)
);

create table packs (
  digest text collate "C" not null,
  name text collate "C" not null,
  version text not null,
  document json not null,
  active boolean default false not null,
  saved_at timestamp(3) with time zone default now() not null,
  constraint packs_pkey PRIMARY KEY (digest)
);

create table plans (
  id text collate "C" not null,
  revision integer not null,
  hash text not null,
  scenario text not null,
  document json not null,
  created_at timestamp(3) with time zone default now() not null,
  title json,
  constraint plans_pkey PRIMARY KEY (id)
);

create table proven_inputs (
  subject text collate "C" not null,
  job text collate "C" not null,
  target text collate "C" not null,
  input_hash text not null,
  attempt_id text collate "C" not null,
  proved_at timestamp(3) with time zone default now() not null,
  constraint proven_inputs_pkey PRIMARY KEY (subject, job, target)
) with (fillfactor=80);

create table resources (
  id text collate "C" not null,
  environment_id text collate "C" not null,
  key text collate "C" not null,
  type text collate "C" not null,
  attributes json default '{}'::json not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint resources_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id),
  constraint resources_pkey PRIMARY KEY (id),
  constraint resources_key_key UNIQUE (key)
);
CREATE INDEX resources_environment ON public.resources USING btree (environment_id);

create table schema_migrations (
  version integer not null,
  name text not null,
  applied_at timestamp(3) with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table secrets (
  id text collate "C" not null,
  environment_id text collate "C" not null,
  name text collate "C" not null,
  version integer not null,
  key_id text collate "C" not null,
  wrapped_key bytea not null,
  sealed bytea not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint secrets_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id),
  constraint secrets_pkey PRIMARY KEY (id),
  constraint secrets_environment_id_name_version_key UNIQUE (environment_id, name, version)
);

create table sessions (
  hash text collate "C" not null,
  subject text not null,
  created_at timestamp(3) with time zone default now() not null,
  seen_at timestamp(3) with time zone default now() not null,
  idle interval not null,
  ends_at timestamp(3) with time zone not null,
  constraint sessions_pkey PRIMARY KEY (hash)
);

create table sign_in_codes (
  hash text collate "C" not null,
  subject text not null,
  expires_at timestamp(3) with time zone not null,
  constraint sign_in_codes_pkey PRIMARY KEY (hash)
);

create table stages (
  operation_id text collate "C" not null,
  id text collate "C" not null,
  ordinal integer not null,
  status text not null,
  done integer not null,
  total integer not null,
  sequence bigint not null,
  constraint stages_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id),
  constraint stages_pkey PRIMARY KEY (operation_id, id)
) with (fillfactor=50);

create table tokens (
  id text collate "C" not null,
  environment_id text collate "C",
  name text not null,
  hash text collate "C" not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint tokens_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id),
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_hash_key UNIQUE (hash)
);

create table tombstones (
  id bigint generated always as identity not null,
  at timestamp(3) with time zone default now() not null,
  actor text not null,
  kind text collate "C" not null,
  operation_id text collate "C",
  attempt_id text collate "C",
  first_sequence bigint,
  last_sequence bigint,
  objects bigint not null,
  bytes bigint,
  sha256 text,
  constraint tombstones_pkey PRIMARY KEY (id)
);
CREATE INDEX tombstones_operation ON public.tombstones USING btree (operation_id, kind);

create table wake_pools (
  pool_id text collate "C" not null,
  beat_at timestamp(3) with time zone default now() not null,
  constraint wake_pools_pkey PRIMARY KEY (pool_id)
) with (fillfactor=60);

create table workers (
  owner text collate "C" not null,
  event_version smallint not null,
  started_at timestamp(3) with time zone default now() not null,
  beat_at timestamp(3) with time zone default now() not null,
  lease_until timestamp(3) with time zone not null,
  constraint workers_pkey PRIMARY KEY (owner)
) with (fillfactor=60);
