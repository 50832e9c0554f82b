import type { JsonValue } from '@capstan/model';

/** The template that an intent asks for. */
export interface WantedScenario {
  readonly ref: string;
  readonly action: string;
  readonly targetResourceType: string;
  /** Host sets whose hosts the intent names, in the scenario's order. */
  readonly chosenSets: readonly string[];
  /** Another scenario has the same action on the same type, so the intent must say which one it means. */
  readonly ambiguous: boolean;
}

/** What a person said in the form. */
export interface IntentAnswers {
  readonly environment: string | null;
  /** Host set → names of hosts. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** The resource's name among them. */
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

/** An intent document. */
export interface IntentJson {
  readonly intent: Readonly<Record<string, JsonValue>>;
}

/** The intent in the one normal form that the catalog makes of any spelling, so that form, CLI and check agree [V18]. */
export function intentOf(scenario: WantedScenario, answers: IntentAnswers): IntentJson {
  const constraints = {
    ...(answers.environment !== null && { environment: answers.environment }),
    ...(scenario.ambiguous && { scenario: scenario.ref }),
  };
  const hosts = hostsOf(scenario.chosenSets, answers.hosts);
  return {
    intent: {
      action: scenario.action,
      target_resource_type: scenario.targetResourceType,
      ...filled('desired_result', answers.parameters),
      ...filled('constraints', constraints),
      ...(hosts !== null && { hosts }),
    },
  };
}

/** A list for the only set, a map for several; sets without hosts are left out. */
function hostsOf(sets: readonly string[], chosen: IntentAnswers['hosts']): JsonValue {
  const filledSets = sets.flatMap((set): [string, string[]][] => {
    const hosts = chosen[set] ?? [];
    return hosts.length === 0 ? [] : [[set, [...hosts]]];
  });
  const [only] = filledSets;
  if (only === undefined) return null;
  return sets.length === 1 ? only[1] : Object.fromEntries(filledSets);
}

function filled(key: string, value: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  return Object.keys(value).length > 0 ? { [key]: { ...value } } : {};
}
