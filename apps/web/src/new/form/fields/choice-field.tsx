import type { JsonValue } from '@capstan/model';
import { Checkbox, Group, Input, NativeSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type Choice, choicesOf } from '../choices';
import { schemaOf } from '../params-schema';
import { type ParameterField, type ParameterFieldProps, useField } from './use-field';

/** One of several values; nothing is chosen until a person chooses [V18]. */
export function ChoiceField(props: ParameterFieldProps) {
  const field = useField(props);
  return <ChoiceSelect field={field} choices={choicesOf(field.source) ?? []} />;
}

/** Yes or no. Without a default there is a third state, nothing said, which a box cannot show. */
export function BooleanField(props: ParameterFieldProps) {
  const t = useTranslations('new.form');
  const field = useField(props);
  const { value, source, set, input } = field;
  if (typeof source.default !== 'boolean')
    return (
      <ChoiceSelect
        field={field}
        choices={[
          { value: true, label: t('yes'), description: null },
          { value: false, label: t('no'), description: null },
        ]}
      />
    );
  const { required: _always, ...box } = input;
  return (
    <Checkbox
      {...box}
      checked={(value ?? source.default) === true}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
}

/** A host of the chosen environment. */
export function HostField(props: ParameterFieldProps) {
  const field = useField(props);
  const hosts = props.registry.formContext.hosts;
  return (
    <ChoiceSelect
      field={field}
      choices={hosts.map((host) => ({ value: host, label: host, description: null }))}
    />
  );
}

/** Several of a few values. */
export function ChoicesField(props: ParameterFieldProps) {
  const { value, source, set, input } = useField(props);
  const choices = choicesOf(schemaOf(source.items)) ?? [];
  const chosen = Array.isArray(value) ? value : [];
  const { id, onBlur, disabled, ...words } = input;
  return (
    <Checkbox.Group
      {...words}
      id={id}
      withAsterisk={words.required}
      value={choices.flatMap((choice, index) => (includes(chosen, choice) ? [String(index)] : []))}
      onChange={(next) =>
        set(next.length === 0 ? undefined : next.flatMap((at) => choices[Number(at)]?.value ?? []))
      }
    >
      <Group mt="xs">
        {choices.map((choice, index) => (
          <Checkbox
            key={choice.label}
            value={String(index)}
            label={choice.label}
            disabled={disabled}
            onBlur={onBlur}
          />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

/** The browser's own list: it works by keyboard, by touch and with a reader, on any width. */
function ChoiceSelect({
  field,
  choices,
}: {
  readonly field: ParameterField;
  readonly choices: readonly Choice[];
}) {
  const t = useTranslations('new.form');
  const { value, set, input } = field;
  const at = choices.findIndex((choice) => same(choice.value, value));
  const said = choices[at]?.description;
  return (
    <>
      <NativeSelect
        {...input}
        data={[
          { value: '', label: input.required ? t('choose') : t('notSet') },
          ...choices.map((choice, index) => ({ value: String(index), label: choice.label })),
        ]}
        value={at < 0 ? '' : String(at)}
        onChange={(event) => set(choices[Number(event.currentTarget.value || '-1')]?.value)}
      />
      {said !== null && said !== undefined && <Input.Description mt={4}>{said}</Input.Description>}
    </>
  );
}

function includes(values: readonly JsonValue[], choice: Choice): boolean {
  return values.some((value) => same(value, choice.value));
}

function same(a: JsonValue, b: JsonValue | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
