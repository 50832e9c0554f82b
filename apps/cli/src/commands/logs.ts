import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, connect } from '../client.js';
import type { Console } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { inert } from '../inert.js';
import { nodeDetails } from '../node-details.js';
import { exitOf } from '../operation-view.js';
import type { Settings } from '../settings.js';
import { type Failure, failure, noOperation } from '../shown-problem.js';

interface Attempt {
  readonly id: string;
  readonly nodeKey: string;
  readonly number: number;
  readonly log: { readonly size: number };
}

interface WithNodes {
  readonly operation: {
    readonly status: string;
    readonly nodeRuns: readonly { readonly key: string; readonly attempt: number }[];
  } | null;
}

interface WithAttempts {
  readonly attempts: { readonly nodes: readonly Attempt[] };
}

interface Page {
  readonly attemptLog: { readonly next: number; readonly text: string; readonly end: boolean } | null;
}

/** One attempt's output as far as it was read. */
interface ReadLog {
  readonly node: string;
  readonly attempt: number;
  text: string;
  next: number;
  complete: boolean;
}

const NODES = `query Nodes($ref: String!, $keys: [String!]) { operation(ref: $ref) { status
  nodeRuns(keys: $keys) { key attempt } } }`;
const ATTEMPTS = 'attempts(first: 10) { nodes { id nodeKey number log { size } } }';
const LOG = `query Log($ref: String!, $attempt: ID!, $from: ByteOffset!) {
  attemptLog(operation: $ref, attempt: $attempt, from: $from) { next text end } }`;
const POLL_MS = 500;

/** `logs ID [NODE] [--follow]`: the output of every attempt, in the plan's order; `--follow` until the operation rests. */
export async function logs(
  console: Console,
  settings: Settings,
  ref: string,
  node: string | null,
  options: { follow?: boolean },
): Promise<ExitCode> {
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const read = new Map<string, ReadLog>();
  for (;;) {
    const round = await readOn(console, client.data, ref, node, read);
    if ('problems' in round) return console.fail(round);
    if (!options.follow || round.resting) break;
    await sleep(POLL_MS);
  }
  const all = [...read.values()];
  console.document({
    logs: all.map(({ node: key, attempt, text, complete }) => ({ node: key, attempt, text, complete })),
  });
  if (all.every((one) => one.text === '')) console.note('no output yet');
  return EXIT.ok;
}

/** Reads every attempt from where it was left; resting = nothing more will come without a person. */
async function readOn(
  console: Console,
  client: ApiClient,
  ref: string,
  node: string | null,
  read: Map<string, ReadLog>,
): Promise<{ readonly resting: boolean } | Failure> {
  const answer = await client.call<WithNodes>(NODES, { ref, keys: node === null ? null : [node] });
  if (!answer.ok) return answer.failure;
  const { operation } = answer.data;
  if (operation === null) return noOperation(ref);
  if (node !== null && operation.nodeRuns.length === 0) {
    return failure(
      EXIT.refused,
      'usage',
      `${ref} has no node ${node}`,
      `one of: capstan operation show ${ref}`,
    );
  }
  const begun = operation.nodeRuns.filter((run) => run.attempt !== 0).map((run) => run.key);
  const details = await nodeDetails<WithAttempts>(client, ref, begun, ATTEMPTS);
  if (!details.ok) return details.failure;
  for (const attempt of [...details.data.values()].flatMap((run) => run.attempts.nodes)) {
    const trouble = await readAttempt(console, client, ref, attempt, read);
    if (trouble) return trouble;
  }
  const complete = [...read.values()].every((one) => one.complete);
  return { resting: exitOf(operation.status) !== null && complete };
}

async function readAttempt(
  console: Console,
  client: ApiClient,
  ref: string,
  attempt: Attempt,
  read: Map<string, ReadLog>,
): Promise<Failure | null> {
  const log = read.get(attempt.id) ?? {
    node: attempt.nodeKey,
    attempt: attempt.number,
    text: '',
    next: 0,
    complete: false,
  };
  const last = [...read.keys()].at(-1);
  const isNew = !read.has(attempt.id);
  read.set(attempt.id, log);
  while (!log.complete) {
    const answer = await client.call<Page>(LOG, { ref, attempt: attempt.id, from: log.next });
    if (!answer.ok) return answer.failure;
    const page = answer.data.attemptLog;
    if (page === null) return null; // pruned meanwhile
    if (page.text !== '' && (log.text === '' || isNew || last !== attempt.id)) {
      if (log.text === '') console.note(`== ${log.node}, attempt ${log.attempt}`);
    }
    console.write(console.writesToTerminal ? inert(page.text) : page.text);
    log.text += page.text;
    log.complete = page.end;
    if (page.next === log.next) break;
    log.next = page.next;
  }
  return null;
}
