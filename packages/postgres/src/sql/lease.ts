import type { Statement } from './statement.js';

/**
 * Takes an operation that nobody drives, by the database clock: free, expired, or the same owner's (S1). $1 operation,
 * $2 owner, $3 lease in ms. The timeline is the one being written now: right after a promotion the control file still
 * names the old one, on which the same counter may already have been used (S13).
 */
export const LEASE: Statement = {
  name: 'lease',
  text: `update operations set driver = $2, driver_fence = driver_fence + 1,
      driver_lease_until = now() + $3::float8 * interval '1 millisecond'
    where id = $1 and ended_at is null and (driver is null or driver_lease_until < now() or driver = $2)
    returning driver_fence as counter,
      (select system_identifier from pg_control_system())::text as system,
      ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline`,
};

export interface LeaseRow {
  readonly counter: number;
  readonly system: string;
  readonly timeline: number;
}
