import type { JsonValue } from '@capstan/model';
import { Code, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import facts from '../kit/facts.module.css';
import { schemaOf } from './form/params-schema';

/** The parameters as the plan has them, the scenario's defaults filled in. */
export function ParameterTable({ parameters }: { readonly parameters: JsonValue }) {
  const t = useTranslations('new.plan');
  const entries = Object.entries(schemaOf(parameters));
  if (entries.length === 0) return <Text size="sm">{t('noParameters')}</Text>;
  return (
    <dl className={facts.facts} data-testid="plan-parameters">
      {entries.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>
            <Code>{typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}</Code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
