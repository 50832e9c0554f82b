import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './client.js';
import type { Console } from './console.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { type ApiNodeRun, type ApiReason, appliedDocument, exitOf, REASON, wayOn } from './operation-view.js';
import { noOperation } from './shown-problem.js';

interface Followed {
  readonly operation: {
    readonly number: string;
    readonly sequence: number;
    readonly status: string;
    readonly reason: ApiReason | null;
    readonly resource: { readonly key: string } | null;
    readonly events: {
      readonly nodes: readonly {
        readonly sequence: number;
        readonly at: string;
        readonly text: { readonly text: string };
      }[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
  } | null;
}

// The sequence is read before the events: then an event may come twice and none is missed.
const FOLLOW = `query Follow($ref: String!, $after: Sequence!) { operation(ref: $ref) { number sequence status ${REASON} resource { key }
  events(first: 100, after: $after) { nodes { sequence at text { text } } pageInfo { hasNextPage } } } }`;

const END = `query End($ref: String!) { operation(ref: $ref) { number status ${REASON} nodeRuns { key status ${REASON} } } }`;

const POLL_MS = 400;
/** How long a server may be away (a restart) before the CLI gives up; the operation goes on either way. */
const PATIENCE_MS = 60_000;

/** Prints each event of an operation as a line until it is over or needs a person; gives the code to end with. */
export async function follow(console: Console, client: ApiClient, ref: string): Promise<ExitCode> {
  const stopTelling = tellOnInterrupt(console, ref);
  try {
    let after = 0;
    let awaySince: number | null = null;
    for (;;) {
      const answer = await client.call<Followed>(FOLLOW, { ref, after });
      if (!answer.ok) {
        awaySince ??= Date.now();
        if (
          answer.failure.problems[0]?.code !== 'server_not_reached' ||
          Date.now() - awaySince > PATIENCE_MS
        ) {
          console.note(`${ref} goes on without this command`);
          return console.fail(answer.failure);
        }
        await sleep(POLL_MS);
        continue;
      }
      awaySince = null;
      const { operation } = answer.data;
      if (operation === null) return console.fail(noOperation(ref));
      for (const event of operation.events.nodes) {
        console.say(`${event.at.slice(11, 19)}  ${event.text.text}`);
        after = event.sequence;
      }
      if (operation.events.pageInfo.hasNextPage) continue;
      const exit = exitOf(operation.status);
      if (exit !== null && after >= operation.sequence) return await finish(console, client, ref, exit);
      await sleep(POLL_MS);
    }
  } finally {
    stopTelling();
  }
}

async function finish(console: Console, client: ApiClient, ref: string, exit: ExitCode): Promise<ExitCode> {
  const answer = await client.call<{
    operation: {
      number: string;
      status: string;
      reason: ApiReason | null;
      nodeRuns: readonly ApiNodeRun[];
    } | null;
  }>(END, { ref });
  if (!answer.ok) return console.fail(answer.failure);
  const { operation } = answer.data;
  if (operation === null) return console.fail(noOperation(ref));
  console.document(appliedDocument(operation));
  console.say(`${operation.number} ${operation.status}`);
  if (exit === EXIT.attention) for (const line of attentionLines(operation)) console.note(line);
  return exit;
}

/** What blocks, and what a person can do about it. */
export function attentionLines(operation: {
  readonly number: string;
  readonly status: string;
  readonly reason: ApiReason | null;
  readonly nodeRuns: readonly ApiNodeRun[];
}): string[] {
  const { number, status, reason, nodeRuns } = operation;
  const stopped = nodeRuns.filter((node) => node.reason !== null && !CALM.has(node.status));
  // The final proof belongs to no node.
  const whole =
    stopped.length > 0
      ? []
      : [
          `${number} is ${status}: ${reason?.text ?? 'no reason was given'}`,
          `  then: capstan retry ${number}, or capstan cancel ${number}`,
        ];
  return [
    ...whole,
    ...stopped.flatMap((node) => [
      `${node.key} is ${node.status}: ${node.reason?.text ?? ''}`,
      `  ${wayOn(number, node.key, node.reason)}`,
    ]),
  ];
}

const CALM = new Set(['succeeded', 'cancelled', 'skipped', 'superseded']);

function tellOnInterrupt(console: Console, ref: string): () => void {
  const tell = (): void => {
    console.note(`\n${ref} goes on. Follow it: capstan logs ${ref} --follow; stop it: capstan cancel ${ref}`);
    process.exit(130);
  };
  process.once('SIGINT', tell);
  return () => void process.removeListener('SIGINT', tell);
}
