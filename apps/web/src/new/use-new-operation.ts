import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import type { EnvironmentData, HostChoice, ScenarioData } from './documents';
import type { NewDraft } from './draft';
import { initialParameters } from './form/initial-parameters';
import { namedParameters } from './form/named-parameters';
import { type ParamsSchema, schemaOf } from './form/params-schema';
import { presentParameters } from './form/present-parameters';
import { tidyParameters } from './form/tidy-parameters';
import { type IntentJson, intentOf } from './intent';
import { useDraft } from './use-draft';

/** What the steps of a new operation share. */
export interface NewOperationState {
  readonly draft: NewDraft;
  readonly change: (change: Partial<NewDraft>) => void;
  readonly params: ParamsSchema;
  /** Hosts of the chosen environment. */
  readonly hosts: readonly HostChoice[];
  /** Chosen hosts of each set, those of other environments left out. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  readonly intent: IntentJson;
}

export interface NewOperationInput {
  readonly scenario: ScenarioData;
  readonly others: readonly Pick<ScenarioData, 'ref' | 'action' | 'targetResourceType'>[];
  readonly environments: readonly EnvironmentData[];
  readonly hosts: readonly HostChoice[];
}

/** The draft of a new operation and the intent that it says; the same draft always gives the same intent. */
export function useNewOperation({
  scenario,
  others,
  environments,
  hosts,
}: NewOperationInput): NewOperationState {
  const t = useTranslations('new.form');
  // The same schema comes anew with every answer; a form must not begin anew with it.
  const schema = JSON.stringify(scenario.params);
  const title = scenario.targetResourceType === 'node' ? t('hostName') : t('resourceName');
  const params = useMemo(
    () => namedParameters(schemaOf(JSON.parse(schema)), scenario.targetResourceType, title),
    [schema, scenario.targetResourceType, title],
  );
  const layout = useMemo(() => presentParameters(params).fields, [params]);
  const [draft, change] = useDraft(scenario.ref, () => ({
    environment: onlyEnvironment(environments, hosts),
    hosts: {},
    parameters: initialParameters(params),
  }));
  const here = useMemo(
    () => hosts.filter((host) => host.environment.name === draft.environment),
    [hosts, draft.environment],
  );
  const chosen = useMemo(() => {
    const names = new Set(here.map(({ name }) => name));
    return Object.fromEntries(
      Object.entries(draft.hosts).map(([set, list]) => [set, list.filter((name) => names.has(name))]),
    );
  }, [draft.hosts, here]);
  const intent = useMemo(
    () =>
      intentOf(
        {
          ref: scenario.ref,
          action: scenario.action,
          targetResourceType: scenario.targetResourceType,
          chosenSets: scenario.hostSets.filter((set) => set.chosen).map(({ name }) => name),
          ambiguous: isAmbiguous(scenario, others),
        },
        {
          environment: draft.environment,
          hosts: chosen,
          parameters: tidyParameters(layout, draft.parameters),
        },
      ),
    [scenario, others, draft, chosen, layout],
  );
  return { draft, change, params, hosts: here, chosen, intent };
}

/** The one environment that has hosts: where there is no choice, nobody is asked to make it. */
function onlyEnvironment(
  environments: readonly EnvironmentData[],
  hosts: readonly HostChoice[],
): string | null {
  const used = [...new Set(hosts.map((host) => host.environment.name))];
  const names = used.length > 0 ? used : environments.map(({ name }) => name);
  return names.length === 1 ? (names[0] ?? null) : null;
}

function isAmbiguous(scenario: ScenarioData, others: NewOperationInput['others']): boolean {
  const { action, targetResourceType } = scenario;
  const alike = others.filter(
    (other) => other.action === action && other.targetResourceType === targetResourceType,
  );
  return alike.length > 1;
}
