import type { OperationSummary, RunNode, StageWrite } from '@capstan/engine';
import type { PlanStage } from '@capstan/model';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { NodeStatus, OperationStatus, StageStatus } from './enums.js';
import { ActorType } from './event.js';
import { NodeType } from './node.js';
import { DateTime, Sequence } from './scalars.js';
import { fromPackText, fromReason, TextType } from './text.js';

@ObjectType('StageRun', { description: 'How far a stage is.' })
export class StageRunType {
  @Field(() => String)
  readonly id: string;

  @Field(() => TextType)
  readonly title: TextType;

  @Field(() => StageStatus)
  readonly status: StageWrite['status'];

  @Field(() => Int)
  readonly done: number;

  @Field(() => Int)
  readonly total: number;

  @Field(() => Sequence)
  readonly sequence: number;

  constructor(stage: StageWrite, planned: PlanStage | undefined) {
    this.id = stage.id;
    this.title = fromPackText(planned?.title ?? stage.id);
    this.status = stage.status;
    this.done = stage.done;
    this.total = stage.total;
    this.sequence = stage.sequence;
  }
}

@ObjectType('NodeRun', { description: 'A plan node in an operation.' })
export class NodeRunType {
  /** What its fields are looked up by. */
  readonly operation: OperationSummary;

  @Field(() => String)
  readonly key: string;

  @Field(() => Sequence, {
    description: 'Of the last event that changed it: apply a row only if it is not older.',
  })
  readonly sequence: number;

  @Field(() => NodeStatus)
  readonly status: RunNode['status'];

  @Field(() => TextType, { nullable: true })
  readonly reason: TextType | null;

  @Field(() => Int, { description: 'Number of the newest attempt; 0 = none yet.' })
  readonly attempt: number;

  @Field(() => String, { nullable: true, description: 'Id of the newest attempt.' })
  readonly attemptId: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Of the newest attempt.' })
  readonly startedAt: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Of the newest attempt.' })
  readonly endedAt: string | null;

  constructor(operation: OperationSummary, node: RunNode) {
    this.operation = operation;
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

@ObjectType('Operation', { implements: NodeType, description: 'One run of a plan.' })
export class OperationType implements NodeType {
  readonly row: OperationSummary;
  /** Asked for alone, so its nodes are read once for everything; in a list only those of open operations are. */
  readonly isWhole: boolean;

  @Field(() => ID)
  readonly id: string;

  @Field(() => String, { description: '`op-142`' })
  readonly number: string;

  @Field(() => Sequence, {
    description: 'Of its last event. Read it first, then rows may repeat and never be missed.',
  })
  readonly sequence: number;

  @Field(() => OperationStatus)
  readonly status: OperationSummary['status'];

  @Field(() => TextType, { nullable: true })
  readonly reason: TextType | null;

  @Field(() => TextType)
  readonly title: TextType;

  @Field(() => ActorType)
  readonly createdBy: ActorType;

  @Field(() => DateTime)
  readonly createdAt: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Null: not started, or nothing is kept that says when.',
  })
  readonly startedAt: string | null;

  @Field(() => DateTime, { nullable: true })
  readonly endedAt: string | null;

  private constructor(row: OperationSummary, isWhole: boolean) {
    this.row = row;
    this.isWhole = isWhole;
    this.id = row.id;
    this.number = row.number;
    this.sequence = row.sequence;
    this.status = row.status;
    this.reason = fromReason(row.reason);
    this.title = fromPackText(row.title);
    this.createdBy = row.createdBy;
    this.createdAt = row.createdAt;
    this.startedAt = row.startedAt;
    this.endedAt = row.endedAt;
  }

  static alone(row: OperationSummary): OperationType {
    return new OperationType(row, true);
  }

  static listed(row: OperationSummary): OperationType {
    return new OperationType(row, false);
  }
}

export const OperationConnectionType = connectionOf<OperationType>('Operation', () => OperationType);
