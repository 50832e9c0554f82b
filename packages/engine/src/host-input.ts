import type { Environment, Problem, ProblemCode } from '@capstan/model';
import { text } from '@capstan/model';

/** A host as a person adds it. The private key is text; it is stored encrypted and never read back by a client. */
export interface HostInput {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
  readonly hostKeyFingerprint: string;
  readonly environment: string;
}

const ENVIRONMENT_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;
export const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}=?$/;

/** The environment of the lab's Debian hosts: real machines that are there to be tried, so it is of kind lab. */
export const DEBIAN_LAB = 'lab-debian';

/** Everything that is wrong with a host as it was given. */
export function hostProblems(input: HostInput): Problem[] {
  const out: Problem[] = [];
  if (!HOST_NAME.test(input.name))
    out.push({
      ...problem('invalid_value', 'host.bad_name', { host: input.name }),
      expected: HOST_NAME.source,
    });
  if (!FINGERPRINT.test(input.hostKeyFingerprint)) out.push(badFingerprint(input.name));
  if (!Number.isInteger(input.port) || input.port < 1 || input.port > 65535)
    out.push(problem('invalid_value', 'host.bad_port', { host: input.name, port: input.port }));
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(input.privateKey))
    out.push(problem('invalid_value', 'host.bad_key', { host: input.name }));
  if (/[\0\s]/.test(input.address + input.user) || input.address === '' || input.user === '')
    out.push(problem('invalid_value', 'host.bad_address', { host: input.name }));
  if (!ENVIRONMENT_NAME.test(input.environment))
    out.push({
      ...problem('invalid_value', 'host.bad_environment', { environment: input.environment }),
      expected: ENVIRONMENT_NAME.source,
    });
  return out;
}

/** What is wrong with an address to ask. */
export function addressProblems(address: string, port: number): Problem[] {
  const out: Problem[] = [];
  if (/[\0\s]/.test(address) || address === '' || address.length > 255)
    out.push(problem('invalid_value', 'host.bad_address', { host: address.slice(0, 255) }));
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    out.push(problem('invalid_value', 'host.bad_port', { host: address, port }));
  return out;
}

/** A lab believes stand-in facts, so a real machine in it could be driven on what was proved on a simulated one (S31). */
export function labProblems(input: HostInput, environments: readonly Environment[]): Problem[] {
  // No stand-in ever runs there: the simulated hosts are put into their environment by the server itself.
  if (input.environment === DEBIAN_LAB) return [];
  const isLab = environments.some((one) => one.name === input.environment && one.kind === 'lab');
  if (!isLab) return [];
  const { name: host, environment } = input;
  return [
    {
      ...problem('invalid_value', 'host.in_lab', { host, environment }),
      expected: 'an environment of your own',
    },
  ];
}

export function badFingerprint(host: string): Problem {
  return {
    ...problem('invalid_value', 'host.bad_fingerprint', { host }),
    expected: 'SHA256:… as `ssh-keygen -lf` prints it',
  };
}

function problem(code: ProblemCode, textCode: string, args: Record<string, string | number>): Problem {
  return { code, text: text(textCode, args) };
}
