import type { HostProblem } from './documents';

/** A field of the form for a new host. */
export type HostField = 'name' | 'address' | 'port' | 'user' | 'privateKey' | 'environment';

/** Texts of the server about one field each; any other problem is about the host as a whole. */
const FIELDS: Readonly<Record<string, HostField>> = {
  'host.bad_name': 'name',
  'host.bad_address': 'address',
  'host.bad_port': 'port',
  'host.bad_key': 'privateKey',
  'host.bad_environment': 'environment',
  'host.in_lab': 'environment',
};

export interface HostFaults {
  readonly fields: Readonly<Partial<Record<HostField, string>>>;
  /** What no field can show. */
  readonly rest: readonly string[];
}

export const NO_FAULTS: HostFaults = { fields: {}, rest: [] };

/** Sorts the problems of an answer to the fields that they are about. */
export function hostFaults(problem: HostProblem): HostFaults {
  const fields: Partial<Record<HostField, string>> = {};
  const rest: string[] = [];
  for (const { text } of problem.problems) {
    const field = FIELDS[text.code];
    if (field === undefined || fields[field] !== undefined) rest.push(text.text);
    else fields[field] = text.text;
  }
  if (problem.problems.length === 0) rest.push(problem.text.text);
  return { fields, rest };
}
