import Form from '@rjsf/core';
import type { RegistryFieldsType, RJSFSchema, TemplatesType, UiSchema } from '@rjsf/utils';
import { useTranslations } from 'next-intl';
import { type Ref, useImperativeHandle, useMemo, useRef } from 'react';
import type { FieldFault } from './field-fault';
import { BooleanField, ChoiceField, ChoicesField, HostField } from './fields/choice-field';
import { JsonField, SecretField } from './fields/json-field';
import { PlainField } from './fields/plain-field';
import { FORM_STATE } from './form-state';
import type { FormSurroundings } from './form-surroundings';
import { type FormValues, formValidator } from './form-validator';
import type { ParamsSchema } from './params-schema';
import { type FieldLayout, presentParameters } from './present-parameters';
import { FieldTemplate, ItemTemplate, ListTemplate, ObjectTemplate } from './templates';

/** What the page may ask of the form. */
export interface ParametersFormHandle {
  /** Shows every fault and moves to the first one; true when there is none. */
  judge(): boolean;
}

export interface ParametersFormProps {
  readonly params: ParamsSchema;
  readonly values: FormValues;
  readonly hosts: readonly string[];
  readonly disabled?: boolean;
  readonly onChange: (values: FormValues) => void;
  /** A ref would not pass the boundary of the lazy chunk. */
  readonly handle: Ref<ParametersFormHandle>;
}

/**
 * The form of a scenario's parameters. Faults appear when a field is left, and all of them when the page asks [UX-E18];
 * a field that nobody was in yet is not accused.
 */
export function ParametersForm({
  params,
  values,
  hosts,
  disabled = false,
  onChange,
  handle,
}: ParametersFormProps) {
  const t = useTranslations('new.fault');
  const form = useRef<Form<FormValues, RJSFSchema, FormSurroundings>>(null);
  const seen = useRef({ all: false, ids: new Set<string>() });
  const { schema, fields } = useMemo(() => presentParameters(params), [params]);
  const uiSchema = useMemo(() => uiOf(fields), [fields]);
  const validator = useMemo(() => {
    const shown = ({ path }: FieldFault) =>
      seen.current.all || seen.current.ids.has(['root', ...path].join('_'));
    return formValidator(params, fields, (fault) => t(fault.code, fault.args), shown);
  }, [params, fields, t]);
  const surroundings = useMemo(() => ({ hosts }), [hosts]);
  useImperativeHandle(
    handle,
    () => ({
      judge() {
        seen.current.all = true;
        return form.current?.validateForm() ?? false;
      },
    }),
    // Only refs: a new handle at every drawing would draw the page anew.
    [],
  );
  return (
    <Form<FormValues, RJSFSchema, FormSurroundings>
      ref={form}
      // The page is the form: hosts, environment and parameters are sent together.
      tagName="div"
      schema={schema as RJSFSchema}
      uiSchema={uiSchema}
      validator={validator}
      formData={values}
      formContext={surroundings}
      disabled={disabled}
      fields={FIELDS}
      templates={TEMPLATES}
      experimental_defaultFormStateBehavior={FORM_STATE}
      noHtml5Validate
      liveValidate="onBlur"
      showErrorList={false}
      focusOnFirstError={(error) => focusField(error.property ?? '')}
      // The fields say it; without a listener RJSF says it on the console, too.
      onError={() => undefined}
      onBlur={(id) => seen.current.ids.add(id)}
      onChange={({ formData }) => onChange(formData ?? {})}
    >
      {/* RJSF draws a button of its own where there is no child. */}
      <span hidden />
    </Form>
  );
}

const FIELDS = {
  plain: PlainField,
  boolean: BooleanField,
  choice: ChoiceField,
  choices: ChoicesField,
  host: HostField,
  secret: SecretField,
  json: JsonField,
} as unknown as RegistryFieldsType<FormValues, RJSFSchema, FormSurroundings>;

const TEMPLATES = {
  FieldTemplate,
  ObjectFieldTemplate: ObjectTemplate,
  ArrayFieldTemplate: ListTemplate,
  ArrayFieldItemTemplate: ItemTemplate,
} as unknown as Partial<TemplatesType<FormValues, RJSFSchema, FormSurroundings>>;

/** Which field of ours draws each place; RJSF itself keeps objects and lists. */
function uiOf(layout: FieldLayout): UiSchema<FormValues, RJSFSchema, FormSurroundings> {
  const { kind, source, properties, items } = layout;
  return {
    'ui:options': { source },
    ...(kind !== 'object' && kind !== 'list' && { 'ui:field': kind }),
    ...(properties !== undefined &&
      Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, uiOf(inner)]))),
    ...(items !== undefined && { items: uiOf(items) }),
  };
}

/** `.list[1]` is the field `root_list_1`; a place without an input of its own is led to by the first one in it. */
function focusField(property: string): void {
  const id = `root${property.replaceAll(/[.[]/g, '_').replaceAll(']', '')}`;
  const place = document.getElementById(id);
  const input = place?.matches('input, select, textarea')
    ? place
    : place?.querySelector('input, select, textarea, button');
  if (input instanceof HTMLElement) input.focus();
}
