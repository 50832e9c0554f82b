import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldTemplateProps,
  ObjectFieldTemplateProps,
  RJSFSchema,
} from '@rjsf/utils';
import { useTranslations } from 'next-intl';
import type { FormSurroundings } from './form-surroundings';
import type { FormValues } from './form-validator';
import type { ParamsSchema } from './params-schema';

/** A field brings its own label, description and fault, so that they are tied to its input. */
export function FieldTemplate({
  children,
  id,
}: FieldTemplateProps<FormValues, RJSFSchema, FormSurroundings>) {
  return <div data-parameter={id.replace(/^root_?/, '')}>{children}</div>;
}

/** The form itself, and an object in it as a group with a name. */
export function ObjectTemplate(props: ObjectFieldTemplateProps<FormValues, RJSFSchema, FormSurroundings>) {
  const t = useTranslations('new.form');
  const { fieldPathId, properties, title, schema, required } = props;
  const fields = (
    <Stack gap="md">
      {properties.map(({ content, name }) => (
        <div key={name}>{content}</div>
      ))}
    </Stack>
  );
  if (fieldPathId.path.length === 0) return fields;
  return (
    <Fieldset legend={title} id={fieldPathId.$id} m={0}>
      {schema.description !== undefined && <Hint>{schema.description}</Hint>}
      {required !== true && <Hint>{t('optionalGroup')}</Hint>}
      {fields}
    </Fieldset>
  );
}

/** A list of values with a button for one more. */
export function ListTemplate(props: ArrayFieldTemplateProps<FormValues[], RJSFSchema, FormSurroundings>) {
  const t = useTranslations('new.form');
  const { items, canAdd, onAddClick, disabled, title, schema, required, fieldPathId, rawErrors = [] } = props;
  const [fault] = rawErrors;
  const source = (props.uiSchema?.['ui:options']?.source ?? {}) as ParamsSchema;
  const name = typeof source.title === 'string' ? source.title : title;
  return (
    <Fieldset legend={required === true ? `${name} *` : name} id={fieldPathId.$id} m={0}>
      {schema.description !== undefined && <Hint>{schema.description}</Hint>}
      <Stack gap="xs">
        {items}
        {fault !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault}
          </Text>
        )}
        {canAdd && (
          <Button
            variant="default"
            size="sm"
            disabled={disabled ?? false}
            onClick={onAddClick}
            style={{ alignSelf: 'start' }}
          >
            {t('addItem')}
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
}

/** One value of a list, with the buttons that move and remove it [UX-X7]. */
export function ItemTemplate(props: ArrayFieldItemTemplateProps<FormValues[], RJSFSchema, FormSurroundings>) {
  const t = useTranslations('new.form');
  const { children, buttonsProps, index, disabled = false } = props;
  const number = index + 1;
  const buttons = [
    {
      key: 'up',
      shown: buttonsProps.hasMoveUp,
      sign: '↑',
      name: t('moveUp', { number }),
      act: buttonsProps.onMoveUpItem,
    },
    {
      key: 'down',
      shown: buttonsProps.hasMoveDown,
      sign: '↓',
      name: t('moveDown', { number }),
      act: buttonsProps.onMoveDownItem,
    },
    {
      key: 'remove',
      shown: buttonsProps.hasRemove,
      sign: '×',
      name: t('remove', { number }),
      act: buttonsProps.onRemoveItem,
    },
  ];
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <div style={{ flex: 1, minWidth: 0 }}>{children}</div>
      <Group gap={4} wrap="nowrap">
        {buttons
          .filter(({ shown }) => shown)
          .map(({ key, sign, name, act }) => (
            <ActionIcon
              key={key}
              variant="default"
              size="lg"
              aria-label={name}
              title={name}
              disabled={disabled}
              onClick={act}
            >
              <span aria-hidden>{sign}</span>
            </ActionIcon>
          ))}
      </Group>
    </Group>
  );
}

function Hint({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="dimmed" mb="xs">
      {children}
    </Text>
  );
}
