import type { RunEnd } from './evidence.js';
import type { OperationEvent } from './operation.js';
import type { Reason } from './reason.js';
import { renderReason } from './render.js';

type Locale = 'en' | 'ru';

/** An event in words, one line. What belongs to a node begins with the node's key. */
export function renderEvent(event: OperationEvent, locale: Locale = 'en'): string {
  const words = event.type in LINES ? LINES[lineOf(event)][locale] : event.type;
  const node = 'nodeKey' in event ? `${event.nodeKey}: ` : '';
  return `${node}${words}${detailOf(event, locale)}`;
}

/** Much may keep a driver from an attempt; only some of it is the connection. */
function lineOf(event: OperationEvent): keyof typeof LINES {
  const held = event.type === 'attempt_disconnected' && !LINK_REASONS.has(event.reason.code);
  return held ? 'node_waiting' : event.type;
}

const LINK_REASONS: ReadonlySet<string> = new Set(['disconnected', 'unreachable']);

const LINES = {
  operation_planned: { en: 'planned', ru: 'спланирована' },
  operation_started: { en: 'running', ru: 'выполняется' },
  operation_waiting: { en: 'waiting', ru: 'ждёт' },
  operation_needs_attention: { en: 'needs attention', ru: 'требует внимания' },
  operation_resumed: { en: 'goes on', ru: 'продолжается' },
  operation_cancelling: { en: 'cancelling', ru: 'отменяется' },
  operation_cancelled: { en: 'cancelled', ru: 'отменена' },
  operation_succeeded: { en: 'succeeded', ru: 'успешно завершена' },
  operation_failed: { en: 'failed', ru: 'завершена неудачно' },
  operation_verified: { en: 'final proof', ru: 'итоговая проверка' },
  node_waiting: { en: 'waiting', ru: 'ждёт' },
  node_retry_requested: { en: 'to be tried again', ru: 'будет повторён' },
  node_cancelled: { en: 'cancelled', ru: 'отменён' },
  node_unproven: { en: 'unproven', ru: 'не доказан' },
  attempt_starting: { en: 'starting', ru: 'запускается' },
  attempt_started: { en: 'running', ru: 'выполняется' },
  attempt_disconnected: { en: 'running, connection lost', ru: 'выполняется, связь потеряна' },
  attempt_reconnected: { en: 'running, connected again', ru: 'выполняется, связь восстановлена' },
  attempt_ended: { en: 'ended, being proved', ru: 'закончено, проверяется' },
  attempt_cancelling: { en: 'being stopped', ru: 'останавливается' },
  attempt_closed: { en: '', ru: '' },
  attempt_satisfied: { en: 'succeeded', ru: 'успешно' },
} as const satisfies Record<OperationEvent['type'], Record<Locale, string>>;

const ENDS = {
  succeeded: { en: 'succeeded', ru: 'успешно' },
  failed: { en: 'failed', ru: 'неудачно' },
  unproven: { en: 'unproven', ru: 'не доказано' },
  unknown: { en: 'unknown', ru: 'неизвестно' },
  cancelled: { en: 'cancelled', ru: 'отменено' },
  ready: { en: 'to be tried again', ru: 'будет повторено' },
} as const;

function detailOf(event: OperationEvent, locale: Locale): string {
  const because = (why: Reason | null): string => (why === null ? '' : ` (${renderReason(why, locale)})`);
  switch (event.type) {
    case 'operation_waiting':
    case 'operation_failed':
    case 'attempt_disconnected':
    case 'node_waiting':
    case 'node_unproven':
      return because(event.reason);
    case 'operation_needs_attention':
      return event.reasons
        .map(
          (one) => ` (${one.nodeKey === null ? '' : `${one.nodeKey}: `}${renderReason(one.reason, locale)})`,
        )
        .join('');
    case 'operation_verified':
      return event.confirmed
        ? { en: ' confirmed', ru: ' пройдена' }[locale]
        : { en: ' not confirmed', ru: ' не пройдена' }[locale];
    case 'attempt_starting': {
      const on = { en: `on ${event.host}`, ru: `на ${event.host}` }[locale];
      return event.number === 1
        ? ` ${on}`
        : ` ${on}, ${{ en: 'attempt', ru: 'попытка' }[locale]} ${event.number}`;
    }
    case 'attempt_ended':
      return endOf(event.end, locale);
    case 'attempt_closed':
      return `${ENDS[event.node][locale]}${because(event.reason)}`;
    case 'attempt_satisfied':
      return because({ code: 'already_satisfied', args: {} });
    default:
      return '';
  }
}

function endOf(end: RunEnd, locale: Locale): string {
  if (end.kind === 'exited' && end.code !== 0)
    return { en: ` (exit code ${end.code})`, ru: ` (код ${end.code})` }[locale];
  if (end.kind === 'timed_out') return ` (${renderReason({ code: 'timed_out', args: {} }, locale)})`;
  return end.kind === 'dead' ? ` (${renderReason({ code: end.why, args: {} }, locale)})` : '';
}
