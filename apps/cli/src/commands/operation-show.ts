import { connect } from '../client.js';
import { type Console, columns } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { attentionLines } from '../follow-operation.js';
import { nodeDetails } from '../node-details.js';
import { type ApiNodeRun, type ApiReason, REASON, reasonString, signOf } from '../operation-view.js';
import type { Settings } from '../settings.js';
import { noOperation } from '../shown-problem.js';

interface Words {
  readonly text: string;
}

interface ApiOperation {
  readonly id: string;
  readonly number: string;
  readonly sequence: number;
  readonly status: string;
  readonly reason: ApiReason | null;
  readonly title: Words;
  readonly resource: { readonly key: string } | null;
  readonly environment: { readonly name: string };
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly plan: {
    readonly hash: string;
    readonly risk: string;
    readonly nodes: readonly {
      readonly key: string;
      readonly kind: string;
      readonly stage: string;
      readonly job: string | null;
      readonly target: string | null;
      readonly dependsOn: readonly string[];
      readonly origin: string;
    }[];
  };
  readonly stages: readonly {
    readonly id: string;
    readonly title: Words;
    readonly status: string;
    readonly done: number;
    readonly total: number;
  }[];
  readonly nodeRuns: readonly (ApiNodeRun & { readonly sequence: number; readonly attempt: number })[];
}

interface NodeDetails {
  readonly attempts: {
    readonly nodes: readonly {
      readonly id: string;
      readonly number: number;
      readonly status: string;
      readonly host: string;
      readonly exitCode: number | null;
      readonly cause: ApiReason | null;
      readonly startedAt: string;
      readonly endedAt: string | null;
    }[];
  };
  readonly evidence: readonly {
    readonly check: string;
    readonly subject: string;
    readonly verdict: string;
    readonly expected: string;
    readonly observed: string;
    readonly provenance: string;
    readonly at: string;
  }[];
}

const SHOW = `query Show($ref: String!) { operation(ref: $ref) { id number sequence status ${REASON} title { text }
  resource { key } environment { name } createdAt endedAt
  plan { hash risk nodes { key kind stage job target dependsOn origin } }
  stages { id title { text } status done total }
  nodeRuns { key sequence status ${REASON} attempt } } }`;
const DETAILS = `attempts(first: 10) { nodes { id number status host exitCode cause { code args text } startedAt endedAt } }
  evidence { check subject verdict expected observed provenance at }`;

/** `operation show ID`: the plan with what became of each node. */
export async function showOperation(console: Console, settings: Settings, ref: string): Promise<ExitCode> {
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const answer = await client.data.call<{ operation: ApiOperation | null }>(SHOW, { ref });
  if (!answer.ok) return console.fail(answer.failure);
  const { operation } = answer.data;
  if (operation === null) return console.fail(noOperation(ref));
  const keys = operation.nodeRuns.map((run) => run.key);
  const details = await nodeDetails<NodeDetails>(client.data, ref, keys, DETAILS);
  if (!details.ok) return console.fail(details.failure);
  console.document(operationDocument(operation, details.data));
  for (const line of operationLines(operation, details.data)) console.say(line);
  if (operation.status === 'needs_attention')
    for (const line of attentionLines(operation)) console.note(line);
  return EXIT.ok;
}

function operationDocument(operation: ApiOperation, details: ReadonlyMap<string, NodeDetails>): unknown {
  const { plan, stages, nodeRuns, ...head } = operation;
  const runs = new Map(nodeRuns.map((run) => [run.key, run]));
  return {
    ...head,
    reason: reasonString(head.reason),
    title: head.title.text,
    resource: head.resource?.key ?? null,
    environment: head.environment.name,
    plan: { hash: plan.hash, risk: plan.risk },
    stages: stages.map((stage) => ({ ...stage, title: stage.title.text })),
    nodes: plan.nodes.map((node) => {
      const run = runs.get(node.key);
      return {
        ...node,
        status: run?.status ?? 'pending',
        reason: reasonString(run?.reason ?? null),
        attempt: run?.attempt ?? 0,
        attempts: (details.get(node.key)?.attempts.nodes ?? []).map(({ cause, ...attempt }) => ({
          ...attempt,
          cause: reasonString(cause),
        })),
        evidence: details.get(node.key)?.evidence ?? [],
      };
    }),
  };
}

function operationLines(operation: ApiOperation, details: ReadonlyMap<string, NodeDetails>): string[] {
  const { number, status, title, resource, environment, stages, plan, nodeRuns } = operation;
  const runs = new Map(nodeRuns.map((run) => [run.key, run]));
  const lines = [`${number}  ${status}  ${title.text}  (${resource?.key ?? '?'} in ${environment.name})`];
  for (const stage of stages) {
    lines.push('', `${stage.title.text}  ${stage.done}/${stage.total}`);
    const rows = plan.nodes
      .filter((node) => node.stage === stage.id)
      .map((node) => {
        const run = runs.get(node.key);
        const evidence = details.get(node.key)?.evidence ?? [];
        const proofs = evidence.filter((one) => one.verdict === 'confirmed').length;
        const proved = proofs > 0 ? `${proofs} proof${proofs === 1 ? '' : 's'}` : '';
        return [
          '',
          signOf(run?.status ?? 'pending'),
          node.key,
          run?.status ?? 'pending',
          node.target ?? '',
          proved,
          run?.reason?.text ?? '',
        ];
      });
    lines.push(...columns(rows));
  }
  return lines;
}
