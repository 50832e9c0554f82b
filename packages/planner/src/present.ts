import type { Plan, Text } from '@capstan/model';
import { packText, renderText } from '@capstan/model';

type Locale = 'en' | 'ru';

/** What `plan --json` prints: one document, texts as plain strings. */
export interface PlanPresentation {
  readonly hash: string;
  readonly stages: readonly { readonly id: string; readonly title: string }[];
  readonly nodes: readonly {
    readonly key: string;
    readonly kind: string;
    readonly stage: string;
    readonly job: string | null;
    readonly target: string | null;
    readonly dependsOn: readonly string[];
    readonly origin: string;
    readonly reason: string | null;
  }[];
  readonly bindings: readonly {
    readonly requirement: string;
    readonly kind: string;
    readonly provider: string;
    readonly reason: string;
    readonly candidates: readonly {
      readonly provider: string;
      readonly taken: boolean;
      readonly reason: string;
    }[];
  }[];
  readonly gates: readonly { readonly key: string; readonly kind: string; readonly question: string }[];
  readonly risk: string;
}

/** The plan as its outside form, in the wanted language. */
export function presentPlan(plan: Plan, locale: Locale = 'en'): PlanPresentation {
  const say = (text: Text): string => renderText(text, locale);
  return {
    hash: plan.hash,
    stages: plan.stages.map((stage) => ({ id: stage.id, title: packText(stage.title, locale) })),
    nodes: plan.nodes.map((node) => ({
      key: node.key,
      kind: node.kind,
      stage: node.stage,
      job: node.job,
      target: node.target,
      dependsOn: node.dependsOn,
      origin: node.origin,
      reason: node.reason === null ? null : say(node.reason),
    })),
    bindings: plan.bindings.map((binding) => ({
      requirement: binding.requirement,
      kind: binding.kind,
      provider: binding.provider,
      reason: say(binding.reason),
      candidates: binding.candidates.map((c) => ({
        provider: c.provider,
        taken: c.taken,
        reason: say(c.reason),
      })),
    })),
    gates: plan.gates.map((gate) => ({ key: gate.key, kind: gate.kind, question: say(gate.question) })),
    risk: plan.risk,
  };
}
