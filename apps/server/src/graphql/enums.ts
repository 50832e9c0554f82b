import { ACTION_VERBS, BLOCKER_KINDS } from '@capstan/engine';
import {
  ATTEMPT_STATUSES,
  FACT_STATES,
  NODE_STATUSES,
  OPERATION_STATUSES,
  RISK_LEVELS,
} from '@capstan/model';
import { registerEnumType } from 'type-graphql';

const OPEN = 'Clients must accept values that they do not know.';

/** Names and values are the same lower_snake words as in documents, `--json` and stored rows. */
function openEnum<T extends string>(name: string, values: readonly T[], description: string): Record<T, T> {
  const object = Object.fromEntries(values.map((value) => [value, value])) as Record<T, T>;
  registerEnumType(object, { name, description: `${description} ${OPEN}` });
  return object;
}

export const OperationStatus = openEnum('OperationStatus', OPERATION_STATUSES, 'State of an operation.');
export const NodeStatus = openEnum('NodeStatus', NODE_STATUSES, 'State of a plan node in an operation.');
export const AttemptStatus = openEnum('AttemptStatus', ATTEMPT_STATUSES, 'State of one attempt on a host.');
export const FactState = openEnum('FactState', FACT_STATES, 'Only `holds` resolves a requirement.');
export const RiskLevel = openEnum('RiskLevel', RISK_LEVELS, 'How much can go wrong.');
export const Provenance = openEnum(
  'Provenance',
  ['real', 'stand_in'],
  'Whether a fact was proved on a real machine.',
);
export const Verdict = openEnum('Verdict', ['confirmed', 'refuted', 'not_observed'], 'What a check found.');
export const PlanNodeKind = openEnum(
  'PlanNodeKind',
  ['job', 'gate', 'sub_operation'],
  'What a plan node is.',
);
export const Origin = openEnum(
  'Origin',
  ['template', 'planner', 'patch', 'policy', 'person'],
  'Who put it there.',
);
export const BindingKind = openEnum(
  'BindingKind',
  ['fact', 'job', 'artifact', 'generated', 'resource'],
  'What a provider is.',
);
export const GateKind = openEnum('GateKind', ['approval', 'choice', 'risk'], 'What a gate asks for.');
export const StageStatus = openEnum(
  'StageStatus',
  ['pending', 'running', 'succeeded', 'needs_attention', 'cancelled'],
  'State of a stage.',
);
export const EnvironmentKind = openEnum(
  'EnvironmentKind',
  ['standard', 'lab'],
  'Stand-in facts count only in a lab.',
);
export const HostTier = openEnum('HostTier', ['own', 'sandbox', 'debian'], 'Where a host comes from.');
export const BlockerKind = openEnum(
  'BlockerKind',
  BLOCKER_KINDS,
  'What kind of thing an operation waits for.',
);
export const ActionVerb = openEnum(
  'ActionVerb',
  ACTION_VERBS,
  'What can be done with an operation or a node.',
);
