import { randomUUID } from 'node:crypto';
import { connect, PROBLEM } from '../client.js';
import type { Console } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Settings } from '../settings.js';
import { failure } from '../shown-problem.js';

interface Revealed {
  readonly __typename: string;
  readonly value: string | null;
  readonly base64: string;
}

const REVEAL = `mutation Reveal($input: RevealInput!) { revealArtifact(input: $input) { __typename
  ... on RevealedArtifact { value base64 }${PROBLEM} } }`;

/** `artifact get RESOURCE NAME --reveal`: the bare value; the server records who read it. */
export async function getArtifact(
  console: Console,
  settings: Settings,
  resource: string,
  name: string,
  options: { reveal?: boolean },
): Promise<ExitCode> {
  if (!options.reveal) {
    return console.fail(
      failure(EXIT.refused, 'reveal_needed', `${name} of ${resource} is shown only on purpose`, '--reveal'),
    );
  }
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const input = { resource, name, idempotencyKey: randomUUID() };
  const revealed = await client.data.ask<Revealed>('revealArtifact', REVEAL, { input });
  if (!revealed.ok) return console.fail(revealed.failure);
  const { value, base64 } = revealed.data;
  console.document({ resource, name, value, ...(value === null ? { base64 } : {}) });
  // Bytes as they are: a pipe must get no newline more than the artifact has.
  console.write(Buffer.from(base64, 'base64'));
  if (console.isTerminal) console.say();
  return EXIT.ok;
}
