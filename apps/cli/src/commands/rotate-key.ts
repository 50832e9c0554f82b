import { randomUUID } from 'node:crypto';
import { connect, PROBLEM } from '../client.js';
import type { Console } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Settings } from '../settings.js';

interface Rotated {
  readonly __typename: string;
  readonly former: string;
  readonly current: string;
  readonly rewrapped: number;
  readonly resumed: boolean;
}

const ROTATE = `mutation Rotate($input: RotateKeyInput!) { rotateKey(input: $input) { __typename
  ... on RotatedKey { former current rewrapped resumed }${PROBLEM} } }`;

/** `secrets rotate-kek`: a new key for all data keys, while everything goes on; one that was interrupted goes on. */
export async function rotateKey(console: Console, settings: Settings): Promise<ExitCode> {
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const input = { idempotencyKey: randomUUID() };
  const rotated = await client.data.ask<Rotated>('rotateKey', ROTATE, { input });
  if (!rotated.ok) return console.fail(rotated.failure);
  const { __typename: _, ...result } = rotated.data;
  console.document(result);
  console.say(
    `${result.former} → ${result.current}: ${result.rewrapped} data keys wrapped anew${result.resumed ? ' (went on with an interrupted rotation)' : ''}`,
  );
  console.note('back up the secret folder again: the former key opens nothing any more');
  return EXIT.ok;
}
