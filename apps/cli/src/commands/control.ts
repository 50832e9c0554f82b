import { randomUUID } from 'node:crypto';
import { connect, PROBLEM } from '../client.js';
import type { Console } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Settings } from '../settings.js';

interface Accepted {
  readonly __typename: string;
  readonly sequence: number;
}

const CANCEL = `mutation Cancel($input: ControlInput!) { controlOperation(input: $input) { __typename
  ... on CommandAccepted { sequence }${PROBLEM} } }`;
const RETRY = `mutation Retry($input: RetryNodeInput!) { retryNode(input: $input) { __typename
  ... on CommandAccepted { sequence }${PROBLEM} } }`;
const STATUS = 'query Status($ref: String!) { operation(ref: $ref) { number status } }';

/** `cancel ID`: what has not started never will; what runs is stopped, and its host confirms that. */
export async function cancel(console: Console, settings: Settings, ref: string): Promise<ExitCode> {
  const input = { cancel: { operation: ref, idempotencyKey: randomUUID() } };
  return command(console, settings, ref, 'controlOperation', CANCEL, input);
}

/** `retry ID [NODE]`: tries again what stopped; what is finished stays as it is. */
export async function retry(
  console: Console,
  settings: Settings,
  ref: string,
  node: string | null,
): Promise<ExitCode> {
  const input = { operation: ref, nodeKey: node, idempotencyKey: randomUUID() };
  return command(console, settings, ref, 'retryNode', RETRY, input);
}

async function command(
  console: Console,
  settings: Settings,
  ref: string,
  field: string,
  mutation: string,
  input: unknown,
): Promise<ExitCode> {
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const accepted = await client.data.ask<Accepted>(field, mutation, { input });
  if (!accepted.ok) return console.fail(accepted.failure);
  const answer = await client.data.call<{ operation: { number: string; status: string } | null }>(STATUS, {
    ref,
  });
  if (!answer.ok) return console.fail(answer.failure);
  const { number, status } = answer.data.operation ?? { number: ref, status: 'unknown' };
  console.document({ operation: number, status, sequence: accepted.data.sequence });
  console.say(`${number} is ${status}`);
  return EXIT.ok;
}
