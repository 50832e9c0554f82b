import type { PlanChange, PlanPatch } from './patch.js';
import type { Plan } from './plan.js';
import type { Outcome, Problem, ProblemCode } from './problem.js';
import { ok, refused } from './problem.js';
import type { Text } from './text.js';
import { text } from './text.js';

/** What a patch asks of the running operation and not of the plan; it has no inverse (S22). */
export type PatchCommand = { readonly kind: 'retry'; readonly nodes: readonly string[] };

export interface PatchedPlan {
  /** The same object where the patch holds commands only: its revision is unchanged. */
  readonly plan: Plan;
  readonly commands: readonly PatchCommand[];
}

/** Applies a patch as one: every change or, with all the reasons, none. */
export function applyPatch(plan: Plan, patch: PlanPatch): Outcome<PatchedPlan> {
  const problems = validatePatch(plan, patch);
  if (problems.length > 0) return refused(...problems);
  const commands = patch.changes.flatMap((change): PatchCommand[] =>
    change.kind === 'retry' ? [{ kind: 'retry', nodes: anchored(plan, change.job) }] : [],
  );
  return ok({ plan, commands });
}

/** Every reason why a patch cannot be applied to this revision of the plan. */
export function validatePatch(plan: Plan, patch: PlanPatch): readonly Problem[] {
  const problems: Problem[] = [];
  if (patch.baseRevision !== null && patch.baseRevision !== plan.revision) {
    problems.push(
      problem(
        'stale_revision',
        text('plan.stale_revision', { base: patch.baseRevision, revision: plan.revision }),
      ),
    );
  }
  if (patch.changes.length === 0)
    problems.push(problem('missing_value', text('plan.empty_patch'), 'at least one change'));
  return [...problems, ...patch.changes.flatMap((change) => validateChange(plan, change))];
}

/** Node keys that an anchor means: an instance key, a template id with all its instances, or a stage (S22). */
export function anchored(plan: Plan, anchor: string): readonly string[] {
  const keys = plan.nodes.map((node) => node.key);
  const exact = keys.filter((key) => key === anchor);
  if (exact.length > 0) return exact;
  const instances = keys.filter((key) => templateOf(key) === anchor);
  return instances.length > 0
    ? instances
    : plan.nodes.filter((node) => node.stage === anchor).map((node) => node.key);
}

/** The template part of a node key: `install` of `install~2[lab-1]`. */
function templateOf(key: string): string {
  return key.replace(/\[.*$/s, '').replace(/~\d+$/, '');
}

function validateChange(plan: Plan, change: PlanChange): readonly Problem[] {
  switch (change.kind) {
    case 'retry':
      return anchored(plan, change.job).length > 0
        ? []
        : [
            problem(
              'unknown_reference',
              text('plan.unknown_anchor', { anchor: change.job }),
              'a node key, a job id or a stage of the plan',
            ),
          ];
    case 'insert_after':
    case 'insert_before':
    case 'replace':
    case 'remove':
    case 'modify':
    case 'add_gate':
    case 'connect':
    case 'disconnect':
    case 'set_output':
    case 'rebind':
      return [problem('not_supported', text('plan.patch_not_supported', { kind: change.kind }), 'retry')];
  }
}

function problem(code: ProblemCode, words: Text, expected?: string): Problem {
  return { code, text: words, ...(expected === undefined ? {} : { expected }) };
}
