'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useQuery } from 'urql';
import type { ResultOf } from '../api/graphql';
import tones from '../graph/tones.module.css';
import { durationRangeText } from '../kit/duration-range';
import { RequestState } from '../kit/request-state';
import { LoadingState } from '../kit/states';
import { contractQuery } from './documents';
import { planNodeOf } from './node-title';
import styles from './operation.module.css';
import { useOperation } from './operation-context';

type Plan = NonNullable<ResultOf<typeof contractQuery>['operation']>['plan'];

/** What a node needs and gives, why it is in the plan, and why each provider was chosen. */
export function ContractTab({ nodeKey }: { readonly nodeKey: string }) {
  const { operation } = useOperation();
  const locale = useLocale();
  const [{ data, error, fetching }, again] = useQuery({
    query: contractQuery,
    variables: { ref: operation.id, locale },
    // A plan revision does not change.
    requestPolicy: 'cache-first',
  });
  const plan = data?.operation?.plan;
  if (plan !== undefined) return <Contract plan={plan} nodeKey={nodeKey} />;
  return error !== undefined && !fetching ? (
    <RequestState error={error} onRetry={again} />
  ) : (
    <LoadingState lines={4} />
  );
}

function Contract({ plan, nodeKey }: { plan: Plan; nodeKey: string }) {
  const words = useTranslations('operation');
  const locale = useLocale();
  const { operation } = useOperation();
  const node = planNodeOf(operation.plan, nodeKey);
  const reason = plan.nodes.find(({ key }) => key === nodeKey)?.reason?.text;
  const job = plan.jobs.find(({ id }) => id === node?.job);
  const bindings = plan.bindings.filter(({ requirement }) => requirement.startsWith(`${nodeKey}/`));
  return (
    <div className={styles.contract} data-testid="contract">
      <section>
        <h3 className={styles.h3}>{words('contract.why')}</h3>
        <p>{reason ?? words(`contract.origin.${originOf(node?.origin)}`)}</p>
      </section>
      {job === undefined ? null : (
        <>
          <div className={styles.sides}>
            <Side title={words('contract.needs')} contract={job.needs} />
            <Side title={words('contract.gives')} contract={job.gives} />
          </div>
          <p className={styles.aside}>
            {[
              words(`contract.risk.${job.risk}`),
              words(job.idempotent ? 'contract.idempotent' : 'contract.notIdempotent'),
              job.estimate === null
                ? null
                : words('contract.estimate', { time: durationRangeText(job.estimate, locale) }),
            ]
              .filter((part) => part !== null)
              .join(' · ')}
          </p>
        </>
      )}
      {bindings.length === 0 ? null : (
        <section>
          <h3 className={styles.h3}>{words('contract.providers')}</h3>
          {bindings.map((binding) => (
            <article key={binding.requirement} className={styles.binding}>
              <p>
                <span className={styles.mono}>{binding.requirement.slice(nodeKey.length + 1)}</span>
                <span aria-hidden="true"> ← </span>
                <span className={styles.mono}>{binding.provider}</span>
              </p>
              <p className={styles.aside}>{binding.reason.text}</p>
              {binding.candidates.length < 2 ? null : (
                <details className={styles.former}>
                  <summary>
                    {words('contract.candidates', { count: binding.candidates.length + binding.moreCount })}
                  </summary>
                  <ul className={styles.plainList}>
                    {binding.candidates.map((candidate) => (
                      <li key={candidate.provider}>
                        <span className={styles.mono}>{candidate.provider}</span>{' '}
                        {candidate.taken ? (
                          <span className={`${styles.badge} ${tones.good}`}>{words('contract.taken')}</span>
                        ) : null}{' '}
                        <span className={styles.aside}>{candidate.reason.text}</span>
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </article>
          ))}
        </section>
      )}
    </div>
  );
}

function Side(props: {
  readonly title: string;
  readonly contract: {
    readonly capabilities: readonly string[];
    readonly artifacts: readonly string[];
    readonly evidence: readonly string[];
  };
}) {
  const words = useTranslations('operation');
  const { capabilities, artifacts, evidence } = props.contract;
  const none = capabilities.length + artifacts.length + evidence.length === 0;
  return (
    <section>
      <h3 className={styles.h3}>{props.title}</h3>
      {none ? <p className={styles.aside}>{words('contract.nothing')}</p> : null}
      {(['capabilities', 'artifacts', 'evidence'] as const).map((kind) =>
        props.contract[kind].length === 0 ? null : (
          <div key={kind}>
            <p className={styles.aside}>{words(`contract.${kind}`)}</p>
            <ul className={styles.names}>
              {props.contract[kind].map((name) => (
                <li key={name} className={styles.mono}>
                  {name}
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
    </section>
  );
}

function originOf(origin: string | undefined): 'template' | 'planner' | 'patch' {
  return origin === 'planner' || origin === 'patch' ? origin : 'template';
}
