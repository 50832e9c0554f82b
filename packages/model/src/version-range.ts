import { coerce, satisfies, validRange } from 'semver';

/** Whether a version as a host reports it (`1.31`, `v1.31.2+k3s1`) lies in a semver range; null when either cannot be read. */
export function versionInRange(version: string, range: string): boolean | null {
  const read = coerce(version);
  if (read === null || validRange(range) === null) return null;
  return satisfies(read, range);
}
