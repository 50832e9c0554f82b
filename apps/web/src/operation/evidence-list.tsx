'use client';

import { useTranslations } from 'next-intl';
import { grouped } from '../graph/grouped';
import { hostOf } from '../graph/plan-view';
import { StatusGlyph } from '../graph/status-glyph';
import type { Look } from '../graph/status-look';
import tones from '../graph/tones.module.css';
import { RelativeTime } from '../kit/relative-time';
import { useServerNow } from '../kit/server-time';
import { EmptyState } from '../kit/states';
import styles from './operation.module.css';

/** One recorded check, as both lists of evidence have it. */
export interface EvidenceView {
  readonly id: string;
  readonly attemptId: string | null;
  readonly nodeKey: string | null;
  readonly check: string;
  readonly capability: string | null;
  readonly asked?: { readonly text: string } | null;
  readonly expected: string;
  readonly observed: string;
  readonly subject: string;
  readonly host: string;
  readonly at: string;
  readonly freshUntil: string | null;
  readonly verdict: 'confirmed' | 'refuted' | 'not_observed';
  readonly provenance: 'real' | 'stand_in';
  readonly rawHash: string;
}

const LOOKS: Readonly<Record<EvidenceView['verdict'], Look>> = {
  confirmed: { glyph: 'check', tone: 'good' },
  refuted: { glyph: 'cross', tone: 'bad' },
  not_observed: { glyph: 'question', tone: 'doubt' },
};

/** Leads to the output of what a check looked at; null: there is none. */
type LogOf = (evidence: EvidenceView) => (() => void) | null;

/**
 * What was checked, expected and seen [UX-R4], by the capability that it proves; the newest of a check first, former ones
 * behind it.
 */
export function EvidenceList({
  evidence,
  logOf,
}: {
  readonly evidence: readonly EvidenceView[];
  readonly logOf: LogOf;
}) {
  const words = useTranslations('operation');
  if (evidence.length === 0)
    return <EmptyState title={words('evidence.none')} text={words('evidence.noneText')} />;
  const newest = [...evidence].sort((a, b) => b.at.localeCompare(a.at));
  const groups = grouped(newest, (one) => one.capability ?? '');
  return (
    <div data-testid="evidence">
      {[...groups].map(([capability, checks]) => (
        <section key={capability} className={styles.evidenceGroup}>
          <h3 className={styles.h3}>
            {capability === '' ? words('evidence.other') : <span className={styles.mono}>{capability}</span>}
          </h3>
          {[...grouped(checks, (one) => `${one.check} ${one.subject} ${one.host}`)].map(([key, times]) => (
            <Check key={key} times={times} logOf={logOf} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Check({ times, logOf }: { times: readonly EvidenceView[]; logOf: LogOf }) {
  const words = useTranslations('operation');
  const [last, ...former] = times;
  if (last === undefined) return null;
  return (
    <>
      <EvidenceItem evidence={last} onLog={logOf(last)} />
      {former.length === 0 ? null : (
        <details className={styles.former}>
          <summary>{words('evidence.former', { count: former.length })}</summary>
          {former.map((one) => (
            <EvidenceItem key={one.id} evidence={one} onLog={logOf(one)} />
          ))}
        </details>
      )}
    </>
  );
}

function EvidenceItem({ evidence, onLog }: { evidence: EvidenceView; onLog: (() => void) | null }) {
  const words = useTranslations('operation');
  const now = useServerNow();
  const look = LOOKS[evidence.verdict] ?? LOOKS.not_observed;
  return (
    <article className={styles.evidence} data-verdict={evidence.verdict} data-check={evidence.check}>
      <header className={styles.evidenceHead}>
        <StatusGlyph look={look} size={18} />
        <span className={styles.evidenceName}>{evidence.check}</span>
        <span className={`${styles.toned} ${tones[look.tone]}`}>{words(`verdict.${evidence.verdict}`)}</span>
        <span
          className={`${styles.badge} ${styles.provenance} ${tones[evidence.provenance === 'real' ? 'idle' : 'doubt']}`}
          title={words(`provenance.${evidence.provenance}Long`)}
        >
          {words(`provenance.${evidence.provenance}`)}
        </span>
      </header>
      {evidence.asked == null ? null : <p className={styles.asked}>{evidence.asked.text}</p>}
      <dl className={styles.compare}>
        <dt>{words('evidence.expected')}</dt>
        <dd className={styles.mono}>{evidence.expected}</dd>
        <dt>{words('evidence.observed')}</dt>
        <dd className={styles.mono}>
          {evidence.observed === '' ? words('evidence.nothing') : evidence.observed}
        </dd>
      </dl>
      <p className={styles.aside}>
        {evidence.subject} · {words('evidence.from', { host: hostOf(evidence.host) ?? '' })} ·{' '}
        <RelativeTime at={evidence.at} />
        {evidence.freshUntil === null ? null : (
          <>
            {' · '}
            {words(Date.parse(evidence.freshUntil) < now ? 'evidence.was' : 'evidence.until')}{' '}
            <RelativeTime at={evidence.freshUntil} />
          </>
        )}
        {' · '}
        <span className={styles.mono} title={evidence.rawHash}>
          sha256 {evidence.rawHash.replace(/^sha256:/, '').slice(0, 12)}
        </span>
        {onLog === null ? null : (
          <>
            {' · '}
            <button type="button" className={styles.textLink} onClick={onLog} data-testid="evidence-log">
              {words('evidence.log')}
            </button>
          </>
        )}
      </p>
    </article>
  );
}
