import type { JsonValue } from '@capstan/model';
import { Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { invalidJson, invalidJsonText } from '../invalid-json';
import { type FormValue, schemaOf } from '../params-schema';
import { type ParameterFieldProps, useField } from './use-field';

/** Any value, as JSON: for what the form cannot draw, so that it never disappears [UX-E18]. */
export function JsonField(props: ParameterFieldProps) {
  const t = useTranslations('new.form');
  const { value, set, input } = useField(props);
  // The text is kept as typed: the same value has many spellings, and a cursor must not jump between them.
  const [text, setText] = useState(() => textOf(value));
  const { description } = input;
  return (
    <Textarea
      {...input}
      description={description === undefined ? t('jsonHint') : `${description} ${t('jsonHint')}`}
      autosize
      minRows={2}
      maxRows={20}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        set(parsed(next));
      }}
    />
  );
}

/** The name of a secret: its value is never typed, sent or shown here. */
export function SecretField(props: ParameterFieldProps) {
  const t = useTranslations('new.form');
  const { value, set, input } = useField(props);
  const name = schemaOf(value).secret;
  const { description } = input;
  return (
    <TextInput
      {...input}
      description={description === undefined ? t('secretHint') : `${description} ${t('secretHint')}`}
      autoComplete="off"
      spellCheck={false}
      value={typeof name === 'string' ? name : ''}
      onChange={(event) => {
        const next = event.currentTarget.value;
        set(next === '' ? undefined : { secret: next });
      }}
    />
  );
}

function textOf(value: FormValue): string {
  return invalidJsonText(value) ?? (value === undefined ? '' : JSON.stringify(value, null, 2));
}

function parsed(text: string): FormValue {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return invalidJson(text);
  }
}
