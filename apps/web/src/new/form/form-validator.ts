import type { JsonValue } from '@capstan/model';
import { Validator } from '@cfworker/json-schema';
import {
  ErrorSchemaBuilder,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidatorType,
} from '@rjsf/utils';
import type { FieldFault } from './field-fault';
import { judgeParameters } from './judge-parameters';
import { type FormValue, type ParamsSchema, schemaOf } from './params-schema';
import type { FieldLayout } from './present-parameters';
import { tidyParameters } from './tidy-parameters';

export type FormValues = Readonly<Record<string, FormValue>>;

/**
 * The validator that RJSF asks. It judges what the form would send under the scenario's own schema `params`, whatever
 * schema RJSF draws; `words` renders a fault in the reader's language; one that is not `shown` is kept back.
 */
export function formValidator(
  params: ParamsSchema,
  layout: FieldLayout,
  words: (fault: FieldFault) => string,
  shown: (fault: FieldFault) => boolean = () => true,
): ValidatorType<FormValues, RJSFSchema> {
  const faults = (values: FormValues | undefined) =>
    judgeParameters(params, tidyParameters(layout, values ?? {})).filter(shown);
  return {
    validateFormData(values) {
      const found = faults(values);
      const builder = new ErrorSchemaBuilder<FormValues>();
      for (const fault of found) builder.addErrors(words(fault), [...fault.path]);
      return {
        errors: found.map((fault) => asError(fault, words(fault))),
        errorSchema: builder.ErrorSchema,
      };
    },
    // Asked about parts of the drawn schema, never to tell a person.
    isValid: (schema, values) => new Validator(asSchema(schema), '7').validate(values ?? null).valid,
    rawValidation: (schema, values) => ({
      errors: new Validator(asSchema(schema), '7', false).validate(values ?? null).errors as never[],
    }),
  };
}

function asSchema(schema: RJSFSchema): Record<string, JsonValue> {
  return { ...schemaOf(schema as JsonValue) };
}

function asError(fault: FieldFault, message: string): RJSFValidationError {
  const property = fault.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return { name: fault.code, property, message, stack: `${property} ${message}` };
}
