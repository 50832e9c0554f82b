import { NumberInput, Textarea, TextInput } from '@mantine/core';
import { type ParameterFieldProps, useField } from './use-field';

/** A text, a whole number or a number. A field that was cleared is not there: the scenario's default then applies. */
export function PlainField(props: ParameterFieldProps) {
  const { value, source, set, input } = useField(props);
  if (source.type === 'integer' || source.type === 'number')
    return (
      <NumberInput
        {...input}
        allowDecimal={source.type === 'number'}
        allowedDecimalSeparators={['.', ',']}
        hideControls
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        // A number that JavaScript cannot hold comes as text, and is then told to be no number.
        onChange={(next) => set(next === '' ? undefined : next)}
      />
    );
  const text = typeof value === 'string' ? value : '';
  const change = (next: string) => set(next === '' && source.default !== '' ? undefined : next);
  if (typeof source.default === 'string' && source.default.includes('\n'))
    return (
      <Textarea
        {...input}
        autosize
        maxRows={16}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...input}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
