import type { FieldProps, RJSFSchema } from '@rjsf/utils';
import { useTranslations } from 'next-intl';
import type { FormSurroundings } from '../form-surroundings';
import type { FormValue, ParamsSchema } from '../params-schema';

/** What RJSF gives a field of ours; `formData` is one value of the form. */
export type ParameterFieldProps = FieldProps<never, RJSFSchema, FormSurroundings>;

/** A parameter as a field shows it. */
export interface ParameterField {
  readonly id: string;
  readonly value: FormValue;
  /** The scenario's own schema at this place. */
  readonly source: ParamsSchema;
  readonly set: (value: FormValue) => void;
  /** Spread over a Mantine input: name, words, fault, state. */
  readonly input: {
    readonly id: string;
    readonly label: string;
    readonly description: string | undefined;
    readonly error: string | undefined;
    readonly required: boolean;
    readonly disabled: boolean;
    readonly onBlur: () => void;
  };
}

/** Joins what RJSF knows of a field with the words that a person reads. */
export function useField(props: ParameterFieldProps): ParameterField {
  const t = useTranslations('new.form');
  const { fieldPathId, formData, uiSchema, required = false, disabled = false, rawErrors = [] } = props;
  const source = (uiSchema?.['ui:options']?.source ?? {}) as ParamsSchema;
  const value = formData as FormValue;
  const last = fieldPathId.path.at(-1);
  const title = typeof source.title === 'string' ? source.title : null;
  const id = fieldPathId.$id;
  return {
    id,
    value,
    source,
    set: (next) => props.onChange(next as never, fieldPathId.path),
    input: {
      id,
      label: typeof last === 'number' ? t('item', { number: last + 1 }) : (title ?? props.name),
      description: describe(source, value, (shown) => t('defaultApplies', { value: shown })),
      error: rawErrors[0],
      required,
      disabled,
      onBlur: () => props.onBlur(id, value),
    },
  };
}

/** The scenario's words, and what happens to a field that was cleared. */
function describe(
  { description, default: preset }: ParamsSchema,
  value: FormValue,
  defaultApplies: (shown: string) => string,
): string | undefined {
  const own = typeof description === 'string' ? description : '';
  const hint =
    value === undefined && preset !== undefined
      ? defaultApplies(typeof preset === 'string' ? preset : JSON.stringify(preset))
      : '';
  return [own, hint].filter((part) => part !== '').join(' ') || undefined;
}
