import type { PlanPresentation } from '@capstan/planner';
import { type Answer, type ApiClient, PROBLEM } from './client.js';
import { columns } from './console.js';
import { inFile } from './shown-problem.js';

interface Words {
  readonly text: string;
}

interface ApiPlan {
  readonly __typename: string;
  readonly hash: string;
  readonly title: Words;
  readonly resource: string;
  readonly stages: readonly { readonly id: string; readonly title: Words }[];
  readonly nodes: readonly (Omit<PlanPresentation['nodes'][number], 'reason'> & {
    readonly reason: Words | null;
  })[];
  readonly bindings: readonly (Omit<PlanPresentation['bindings'][number], 'reason' | 'candidates'> & {
    readonly reason: Words;
    readonly candidates: readonly {
      readonly provider: string;
      readonly taken: boolean;
      readonly reason: Words;
    }[];
  })[];
  readonly gates: readonly { readonly key: string; readonly kind: string; readonly question: Words }[];
  readonly risk: string;
}

const PREVIEW = `query Preview($intent: DocumentInput!) { previewPlan(intent: $intent) { __typename
  ... on Plan { hash title { text } resource stages { id title { text } }
    nodes { key kind stage job target dependsOn origin reason { text } }
    bindings { requirement kind provider reason { text } candidates { provider taken reason { text } } }
    gates { key kind question { text } } risk }${PROBLEM} } }`;

/** The server's plan for a document, in the form of `plan --json`. */
export async function previewPlan(
  client: ApiClient,
  document: { readonly file: string; readonly text: string },
): Promise<Answer<PlanPresentation>> {
  const answer = await client.ask<ApiPlan>('previewPlan', PREVIEW, { intent: { yaml: document.text } });
  if (answer.ok) return { ok: true, data: presentation(answer.data) };
  const { exit, problems } = answer.failure;
  return { ok: false, failure: { exit, problems: inFile(problems, document.file) } };
}

function presentation(plan: ApiPlan): PlanPresentation {
  return {
    hash: plan.hash,
    stages: plan.stages.map(({ id, title }) => ({ id, title: title.text })),
    nodes: plan.nodes.map((node) => ({ ...node, reason: node.reason?.text ?? null })),
    bindings: plan.bindings.map((binding) => ({
      ...binding,
      reason: binding.reason.text,
      candidates: binding.candidates.map((one) => ({ ...one, reason: one.reason.text })),
    })),
    gates: plan.gates.map((gate) => ({ ...gate, question: gate.question.text })),
    risk: plan.risk,
  };
}

/** The plan for people: what happens where in which order, who gives what, how risky it is. */
export function planLines(plan: PlanPresentation): string[] {
  const lines: string[] = [];
  for (const stage of plan.stages) {
    const nodes = plan.nodes.filter((node) => node.stage === stage.id);
    if (nodes.length === 0) continue;
    lines.push(stage.title);
    const rows = nodes.map((node) => ['', node.key, node.target ?? '', node.reason ?? '']);
    lines.push(...columns(rows));
  }
  const why = providerRows(plan);
  if (why.length > 0) lines.push('', 'Who gives what, and why', ...columns(why));
  for (const gate of plan.gates) lines.push('', `Asks before it goes on (${gate.kind}): ${gate.question}`);
  lines.push('', `${plan.nodes.length} steps, risk ${plan.risk}, hash ${plan.hash.slice(0, 12)}`);
  return lines;
}

/** What every step needs from the same provider for the same reason is one row. */
function providerRows(plan: PlanPresentation): string[][] {
  const rows = new Map<string, string[]>();
  for (const { requirement, provider, reason } of plan.bindings) {
    const what = requirement.slice(requirement.lastIndexOf('/') + 1);
    rows.set(`${what}|${provider}|${reason}`, ['', what, `← ${provider}`, reason]);
  }
  return [...rows.values()];
}
