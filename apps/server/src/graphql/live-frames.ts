import type { RunNode } from '@capstan/engine';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { LogFrame } from '../live/log-feed.js';
import type { OperationFrame, OperationHead } from '../live/operation-feed.js';
import { NodeStatus, OperationStatus } from './enums.js';
import { OperationEventType } from './event.js';
import { StageRunType } from './operation.js';
import { AllowedActionType, BlockerType, ProgressType } from './progress.js';
import { ByteOffset, DateTime, Sequence } from './scalars.js';
import { fromPackText, fromReason, TextType } from './text.js';

/** Thousands of rows a frame: a resolver per field would cost a promise each. */
const PLAIN = { simpleResolvers: true };

@ObjectType('OperationHead', { ...PLAIN, description: 'An operation as a whole, in a frame.' })
export class OperationHeadType {
  @Field(() => ID)
  readonly id: string;

  @Field(() => String)
  readonly number: string;

  @Field(() => Sequence, { description: 'Of its last event; a frame may end before it.' })
  readonly sequence: number;

  @Field(() => OperationStatus)
  readonly status: OperationHead['view']['operation']['status'];

  @Field(() => TextType, { nullable: true })
  readonly reason: TextType | null;

  @Field(() => TextType)
  readonly title: TextType;

  @Field(() => DateTime, { nullable: true })
  readonly startedAt: string | null;

  @Field(() => DateTime, { nullable: true })
  readonly endedAt: string | null;

  @Field(() => ProgressType)
  readonly progress: ProgressType;

  @Field(() => [BlockerType])
  readonly blockers: readonly BlockerType[];

  @Field(() => [AllowedActionType], { description: 'What this viewer may do now, else why not.' })
  readonly actions: readonly AllowedActionType[];

  constructor({ view, plan, sequence, progress, blockers, actions }: OperationHead) {
    const { operation } = view;
    this.id = operation.id;
    this.number = operation.number;
    this.sequence = sequence;
    this.status = operation.status;
    this.reason = fromReason(operation.reason);
    this.title = fromPackText(plan.title);
    this.startedAt = operation.startedAt;
    this.endedAt = operation.endedAt;
    this.progress = new ProgressType(progress);
    this.blockers = blockers.map((blocker) => new BlockerType(blocker));
    this.actions = actions.map((action) => new AllowedActionType(action));
  }
}

@ObjectType('NodeRunRow', {
  ...PLAIN,
  description: 'A plan node in a frame. Attempts and evidence are read with `nodeRuns(keys:)`.',
})
export class NodeRunRowType {
  @Field(() => String)
  readonly key: string;

  @Field(() => Sequence, { description: 'Apply the row only if it is not older than yours.' })
  readonly sequence: number;

  @Field(() => NodeStatus)
  readonly status: RunNode['status'];

  @Field(() => TextType, { nullable: true })
  readonly reason: TextType | null;

  @Field(() => Int, { description: 'Number of the newest attempt; 0 = none yet.' })
  readonly attempt: number;

  @Field(() => ID, { nullable: true, description: 'Id of the newest attempt.' })
  readonly attemptId: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Of the newest attempt.' })
  readonly startedAt: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Of the newest attempt.' })
  readonly endedAt: string | null;

  constructor(node: RunNode) {
    this.key = node.key;
    this.sequence = node.sequence;
    this.status = node.status;
    this.reason = fromReason(node.reason);
    this.attempt = node.attempt;
    this.attemptId = node.attemptId;
    this.startedAt = node.startedAt;
    this.endedAt = node.endedAt;
  }
}

@ObjectType('OperationFrame', {
  ...PLAIN,
  description: 'What changed of an operation between two sequences, all of one moment.',
})
export class OperationFrameType {
  @Field(() => Sequence, {
    description:
      'The `to` of the frame before and one; with another number something is missing: resubscribe.',
  })
  readonly from: number;

  @Field(() => Sequence, {
    description: 'Resubscribe with this as `after`. An empty frame has `from` = `to` + 1.',
  })
  readonly to: number;

  @Field(() => DateTime)
  readonly at: string;

  @Field(() => Boolean, { description: 'The frame is everything: drop what is not in it.' })
  readonly reset: boolean;

  @Field(() => OperationHeadType)
  readonly operation: OperationHeadType;

  @Field(() => [StageRunType])
  readonly stages: readonly StageRunType[];

  @Field(() => [NodeRunRowType])
  readonly nodeRuns: readonly NodeRunRowType[];

  @Field(() => Int, { description: 'Of the plan; with another one than yours read the plan again.' })
  readonly planRevision: number;

  @Field(() => [OperationEventType], { description: 'In order; of a reset the last 50.' })
  readonly events: readonly OperationEventType[];

  constructor(frame: OperationFrame) {
    this.from = frame.from;
    this.to = frame.to;
    this.at = frame.at;
    this.reset = frame.reset;
    this.operation = new OperationHeadType(frame.head);
    const planned = new Map(frame.head.plan.stages.map((stage) => [stage.id, stage]));
    this.stages = frame.stages.map((stage) => new StageRunType(stage, planned.get(stage.id)));
    this.nodeRuns = frame.nodes.map((node) => new NodeRunRowType(node));
    this.planRevision = frame.head.planRevision;
    this.events = frame.events.map((event) => new OperationEventType(event));
  }
}

@ObjectType('LogFrame', {
  ...PLAIN,
  description: 'A piece of the stored, already masked output of an attempt.',
})
export class LogFrameType implements LogFrame {
  @Field(() => ByteOffset, { description: 'The `to` of the frame before.' })
  readonly from!: number;

  @Field(() => ByteOffset, { description: 'First byte that is not in it: resubscribe with this as `after`.' })
  readonly to!: number;

  @Field(() => Boolean, {
    description:
      'What was read before is void, because it was masked afterwards: begin anew with this frame.',
  })
  readonly reset!: boolean;

  @Field(() => String, { description: 'Bytes that are no UTF-8 appear as U+FFFD; it may hold NUL.' })
  readonly text!: string;

  @Field(() => Boolean, { description: 'No more bytes will come.' })
  readonly end!: boolean;

  @Field(() => Boolean, {
    description: '`text` is no output: it says what was not kept or was removed between `from` and `to`.',
  })
  readonly gap!: boolean;

  @Field(() => String, { description: 'Changes when stored bytes are masked; give it when you resubscribe.' })
  readonly etag!: string;

  constructor(frame: LogFrame) {
    Object.assign(this, frame);
  }
}
