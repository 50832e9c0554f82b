import type { ResultOf } from '../api/graphql';
import type { operationEvents, operationNow } from './documents';
import type { OperationFrame } from './operation-frame';

type Sent = ResultOf<typeof operationEvents>['operationEvents'];
type Asked = NonNullable<ResultOf<typeof operationNow>['operation']>;

/** A frame as the store takes it: texts are strings in the language that was asked for. */
export function frameOf(sent: Sent): OperationFrame {
  return {
    from: sent.from,
    to: sent.to,
    at: sent.at,
    reset: sent.reset,
    planRevision: sent.planRevision,
    operation: headOf(sent.operation),
    stages: sent.stages.map(stageOf),
    nodeRuns: sent.nodeRuns.map(rowOf),
    events: sent.events.map(eventOf),
  };
}

/**
 * The state asked for over HTTP, as a frame behind `after`. Only the first 100 events behind it come along; when there
 * are more, the frame is a reset, so that what is kept never has a hole.
 */
export function frameOfState(asked: Asked, after: number | null, at: string): OperationFrame {
  const events = asked.events.nodes.map(eventOf);
  const whole = after !== null && (events.at(-1)?.sequence ?? after) >= asked.sequence;
  return {
    from: (after ?? 0) + 1,
    to: asked.sequence,
    at,
    reset: !whole,
    planRevision: asked.plan.revision,
    operation: headOf(asked),
    stages: asked.stages.map(stageOf),
    nodeRuns: asked.nodeRuns.map(rowOf),
    events: whole ? events : [],
  };
}

function headOf(head: Sent['operation'] | Asked): OperationFrame['operation'] {
  return {
    id: head.id,
    number: head.number,
    sequence: head.sequence,
    status: head.status,
    reason: head.reason?.text ?? null,
    title: head.title.text,
    startedAt: head.startedAt,
    endedAt: head.endedAt,
    progress: { ...head.progress, phase: head.progress.phase?.text ?? null },
    blockers: head.blockers.map((blocker) => ({ ...blocker, what: blocker.what.text })),
    actions: head.actions.map((action) => ({
      verb: action.verb,
      allowed: action.allowed,
      why: action.why?.text ?? null,
      effect: action.effect.text,
    })),
  };
}

function stageOf(stage: Sent['stages'][number]): OperationFrame['stages'][number] {
  return { ...stage, title: stage.title.text };
}

function rowOf(
  row: Sent['nodeRuns'][number] | Asked['nodeRuns'][number],
): OperationFrame['nodeRuns'][number] {
  return { ...row, reason: row.reason?.text ?? null };
}

function eventOf(event: Sent['events'][number]): OperationFrame['events'][number] {
  return { ...event, text: event.text.text };
}
