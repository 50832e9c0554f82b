import type { Actor, OperationEvent } from '@capstan/model';

/** An event as its columns: what is asked for often is a column, the rest one document or nothing. */
export interface EventColumns {
  readonly sequence: number;
  readonly v: number;
  readonly type: string;
  readonly actor: string;
  readonly node_key: string | null;
  readonly attempt_id: string | null;
  readonly data: Record<string, unknown> | null;
}

/** Splits an event into its columns. */
export function toEventColumns(event: OperationEvent): EventColumns {
  const { sequence, v, type, actor, ...body } = event as OperationEvent & {
    nodeKey?: string;
    attemptId?: string;
  };
  const { nodeKey = null, attemptId = null, ...data } = body as { nodeKey?: string; attemptId?: string };
  return {
    sequence,
    v,
    type,
    actor: actorText(actor),
    node_key: nodeKey,
    attempt_id: attemptId,
    data: Object.keys(data).length > 0 ? data : null,
  };
}

/** The event of its columns. */
export function fromEventColumns(row: EventColumns): OperationEvent {
  return {
    sequence: row.sequence,
    v: row.v,
    type: row.type,
    actor: actorOf(row.actor),
    ...(row.node_key === null ? {} : { nodeKey: row.node_key }),
    ...(row.attempt_id === null ? {} : { attemptId: row.attempt_id }),
    ...row.data,
  } as OperationEvent;
}

/** `kind:id`. */
export function actorText(actor: Actor): string {
  return `${actor.kind}:${actor.id}`;
}

/** The actor of {@link actorText}. */
export function actorOf(text: string): Actor {
  const colon = text.indexOf(':');
  return { kind: text.slice(0, colon) as Actor['kind'], id: text.slice(colon + 1) };
}
