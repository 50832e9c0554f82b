import { randomUUID } from 'node:crypto';
import { connect, PROBLEM } from '../client.js';
import type { Console } from '../console.js';
import { readDocument } from '../document-file.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Settings } from '../settings.js';
import { failure } from '../shown-problem.js';

export interface HostOptions {
  readonly address: string;
  readonly port: string;
  readonly user: string;
  readonly key: string;
  readonly hostKey: string;
  readonly environment: string;
}

interface Added {
  readonly __typename: string;
  readonly added: readonly string[];
  readonly existing: readonly string[];
}

interface AcceptedKey {
  readonly __typename: string;
  readonly name: string;
  readonly former: string | null;
}

const ADD = `mutation Add($input: AddHostsInput!) { addHosts(input: $input) { __typename
  ... on AddedHosts { added existing }${PROBLEM} } }`;
const ACCEPT = `mutation Accept($input: AcceptHostKeyInput!) { acceptHostKey(input: $input) { __typename
  ... on AcceptedHostKey { name former }${PROBLEM} } }`;

/** `host add NAME …`: the key's text goes to the server, which keeps it encrypted. */
export async function addHost(
  console: Console,
  settings: Settings,
  name: string,
  options: HostOptions,
): Promise<ExitCode> {
  const port = Number(options.port);
  if (!/^\d{1,5}$/.test(options.port) || port < 1 || port > 65_535) {
    return console.fail(failure(EXIT.refused, 'usage', `--port ${options.port} is no port`, '1 to 65535'));
  }
  const key = await readDocument(options.key);
  if (!key.ok) return console.fail(key.failure);
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const { address, user, environment } = options;
  const host = {
    name,
    address,
    port,
    user,
    environment,
    privateKey: key.text,
    hostKeyFingerprint: options.hostKey,
  };
  const added = await client.data.ask<Added>('addHosts', ADD, {
    input: { hosts: [host], idempotencyKey: randomUUID() },
  });
  if (!added.ok) return console.fail(added.failure);
  console.document({ added: added.data.added, existing: added.data.existing });
  if (added.data.existing.includes(name)) console.note(`${name} was known already and is left as it is`);
  for (const one of added.data.added) console.say(`added node/${one}`);
  return EXIT.ok;
}

/** `host accept-key NAME FINGERPRINT`: what waited for the key goes on by itself. */
export async function acceptKey(
  console: Console,
  settings: Settings,
  name: string,
  fingerprint: string,
): Promise<ExitCode> {
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const input = { name, fingerprint, idempotencyKey: randomUUID() };
  const accepted = await client.data.ask<AcceptedKey>('acceptHostKey', ACCEPT, { input });
  if (!accepted.ok) return console.fail(accepted.failure);
  const { former } = accepted.data;
  console.document({ name: accepted.data.name, former, accepted: fingerprint });
  console.say(`${accepted.data.name}: ${former ?? 'no key'} → ${fingerprint}`);
  return EXIT.ok;
}
