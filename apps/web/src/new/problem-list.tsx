import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { PlanProblem } from './documents';
import type { ParamsSchema } from './form/params-schema';
import { type ProblemPlace, placeOf } from './problem-place';

/** Why there is no plan, or no operation: each problem with what would be right, and a way to its field [UX-S8]. */
export function ProblemList(props: {
  readonly problem: PlanProblem;
  readonly params: ParamsSchema;
  readonly onCorrect: (place: ProblemPlace) => void;
}) {
  const t = useTranslations('new.refused');
  const { problem, params, onCorrect } = props;
  if ('running' in problem)
    return (
      <Alert
        role="alert"
        color="yellow"
        variant="outline"
        title={t('running')}
        data-testid="operation-running"
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{problem.text.text}</Text>
          <Anchor component={Link} href={`/operations/${problem.running}`} underline="always">
            {t('openRunning')}
          </Anchor>
        </Stack>
      </Alert>
    );
  return (
    <Alert role="alert" color="red" variant="outline" title={t('title')} data-testid="plan-problems">
      <List listStyleType="none" spacing="md">
        {problem.problems.map((one) => {
          const place = placeOf(one, params);
          return (
            <List.Item key={`${one.code} ${one.text.text}`} data-problem={one.code}>
              <Text size="sm" fw={600}>
                {one.text.text}
              </Text>
              {one.expected !== null && <Text size="sm">{t('expected', { expected: one.expected })}</Text>}
              {place !== null && (
                <Button variant="default" size="sm" mt={6} onClick={() => onCorrect(place)}>
                  {t('correct')}
                </Button>
              )}
            </List.Item>
          );
        })}
        {problem.problems.length === 0 && <List.Item>{problem.text.text}</List.Item>}
      </List>
    </Alert>
  );
}
