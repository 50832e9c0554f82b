import { Button, Fieldset, Group, NativeSelect, Stack } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { LoadingState } from '../kit/states';
import type { EnvironmentData, ScenarioData } from './documents';
import type { ParametersFormHandle } from './form/parameters-form';
import { HostPicker } from './host-picker';
import classes from './new.module.css';
import type { NewOperationState } from './use-new-operation';

/** RJSF is larger than the rest of the page, and only this form needs it. */
const ParametersForm = dynamic(
  () => import('./form/parameters-form').then((module) => module.ParametersForm),
  {
    ssr: false,
    loading: () => <LoadingState lines={3} />,
  },
);

export interface ScenarioFormProps {
  readonly scenario: ScenarioData;
  readonly environments: readonly EnvironmentData[];
  readonly state: NewOperationState;
  /** Id of the field to go to, when the person comes to correct it. */
  readonly focus: string | null;
  readonly onNext: () => void;
}

/** The first step: where, on which hosts, and with which parameters. */
export function ScenarioForm({ scenario, environments, state, focus, onNext }: ScenarioFormProps) {
  const t = useTranslations('new');
  const { draft, change, params, hosts, chosen } = state;
  const [judged, setJudged] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [parameters, setParameters] = useState<ParametersFormHandle | null>(null);
  const asked = useRef(false);
  useEffect(() => {
    // Pressed before the chunk of the parameters was there.
    if (parameters === null || !asked.current) return;
    asked.current = false;
    form.current?.requestSubmit();
  }, [parameters]);
  const sets = scenario.hostSets.filter((set) => set.chosen);
  const faults = sets.map((set) => hostFault(set.count, chosen[set.name] ?? []));
  useFocus(focus);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    asked.current = parameters === null;
    if (parameters === null) return;
    setJudged(true);
    const sound = parameters.judge();
    if (draft.environment === null) goTo('new-environment');
    else if (faults.some((fault) => fault !== null)) goTo('new-hosts');
    else if (sound) onNext();
  };
  const environment = environments.find(({ name }) => name === draft.environment);
  return (
    <form ref={form} noValidate onSubmit={submit} data-testid="new-form">
      <Stack gap="lg" maw={760}>
        <Fieldset legend={t('where')} className={classes.section}>
          <Stack gap="md">
            <NativeSelect
              id="new-environment"
              label={t('environment.label')}
              description={
                environment === undefined
                  ? t('environment.what')
                  : t(environment.kind === 'lab' ? 'environment.lab' : 'environment.standard')
              }
              error={judged && draft.environment === null ? t('environment.required') : null}
              required
              data={[
                ...(draft.environment === null ? [{ value: '', label: t('form.choose') }] : []),
                ...environments.map(({ name }) => ({ value: name, label: name })),
              ]}
              value={draft.environment ?? ''}
              onChange={(event) => change({ environment: event.currentTarget.value || null })}
            />
            <div id="new-hosts">
              {sets.map((set, index) => (
                <HostPicker
                  key={set.name}
                  id={`new-hosts-${set.name}`}
                  label={set.title?.text ?? t('hosts.set', { set: set.name })}
                  count={exactCount(set.count)}
                  hosts={hosts}
                  chosen={chosen[set.name] ?? []}
                  error={
                    judged && faults[index]
                      ? t(`hosts.${faults[index]}`, { count: exactCount(set.count) ?? 1 })
                      : null
                  }
                  onChange={(names) => change({ hosts: { ...draft.hosts, [set.name]: names } })}
                />
              ))}
            </div>
          </Stack>
        </Fieldset>
        <Fieldset legend={t('parameters')} className={classes.section}>
          <ParametersForm
            handle={setParameters}
            params={params}
            values={draft.parameters}
            hosts={hosts.map(({ name }) => name)}
            onChange={(values) => change({ parameters: values })}
          />
        </Fieldset>
        <Group>
          <Button type="submit" size="md" data-testid="see-plan">
            {t('seePlan')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What is wrong with the choice of hosts, as far as it can be known before the plan. */
function hostFault(count: string | null, chosen: readonly string[]): 'required' | 'exactly' | null {
  const wanted = exactCount(count);
  if (wanted === 0) return null;
  if (chosen.length === 0) return 'required';
  return wanted !== null && chosen.length !== wanted ? 'exactly' : null;
}

/** A count that is written as a figure; any other expression depends on the parameters, and the planner judges it. */
function exactCount(count: string | null): number | null {
  return count !== null && /^\d+$/.test(count) ? Number(count) : null;
}

function useFocus(id: string | null): void {
  useEffect(() => {
    if (id === null) return;
    // The parameters come with a chunk of their own, so the field may not be there yet.
    let tries = 0;
    const timer = setInterval(() => {
      if (goTo(id) || ++tries > 40) clearInterval(timer);
    }, 50);
    return () => clearInterval(timer);
  }, [id]);
}

/** Moves to a field, or to the first input of a group; false while it is not there. */
function goTo(id: string): boolean {
  const place = document.getElementById(id);
  const input = place?.matches('input, select, textarea')
    ? place
    : place?.querySelector('input, select, textarea, a');
  if (!(input instanceof HTMLElement)) return false;
  input.focus();
  return true;
}
