import { randomUUID } from 'node:crypto';
import { type ApiClient, connect, PROBLEM } from '../client.js';
import type { Console } from '../console.js';
import { readDocument } from '../document-file.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { follow } from '../follow-operation.js';
import { type ApiNodeRun, appliedDocument, REASON } from '../operation-view.js';
import { planLines, previewPlan } from '../plan-document.js';
import type { Settings } from '../settings.js';
import { type Failure, failure, inFile } from '../shown-problem.js';

interface Started {
  readonly __typename: string;
  readonly operation: {
    readonly number: string;
    readonly status: string;
    readonly title: { readonly text: string };
    readonly nodeRuns: readonly ApiNodeRun[];
  };
}

const START = `mutation Start($input: StartInput!) { startOperation(input: $input) { __typename
  ... on StartedOperation { operation { number status title { text } nodeRuns { key status ${REASON} } } }${PROBLEM} } }`;

/** `apply -f FILE [--yes] [--wait]`: plans and starts; with `--wait` follows it to its end. */
export async function apply(
  console: Console,
  settings: Settings,
  options: { file: string; yes?: boolean; wait?: boolean },
): Promise<ExitCode> {
  const document = await readDocument(options.file);
  if (!document.ok) return console.fail(document.failure);
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const unconfirmed = options.yes ? null : await confirm(console, client.data, document);
  if (unconfirmed) return console.fail(unconfirmed);
  // One key for this invocation: whatever is sent again is the same request.
  const input = { document: { yaml: document.text }, idempotencyKey: randomUUID() };
  const started = await client.data.ask<Started>('startOperation', START, { input });
  if (!started.ok) {
    const { exit, problems } = started.failure;
    return console.fail({ exit, problems: inFile(problems, document.file) });
  }
  const { operation } = started.data;
  console.say(`${operation.number} started: ${operation.title.text}`);
  if (options.wait) return follow(console, client.data, operation.number);
  console.document(appliedDocument(operation));
  console.say(
    `Follow it: capstan operation show ${operation.number}, or capstan logs ${operation.number} --follow`,
  );
  return EXIT.ok;
}

async function confirm(
  console: Console,
  client: ApiClient,
  document: { readonly file: string; readonly text: string },
): Promise<Failure | null> {
  const planned = await previewPlan(client, document);
  if (!planned.ok) return planned.failure;
  for (const line of planLines(planned.data)) console.note(line);
  if (!console.isTerminal) {
    return failure(
      EXIT.refused,
      'confirmation_needed',
      'nothing was started: there is no terminal to ask on',
      '--yes',
    );
  }
  return (await console.ask('Start this?')) ? null : failure(EXIT.refused, 'declined', 'nothing was started');
}
