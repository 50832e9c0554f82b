import type { OperationSummary, StageWrite, StoredOperation } from '@capstan/engine';
import type { Plan, PlanStage } from '@capstan/model';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { NodeStatus, OperationStatus, StageStatus } from './enums.js';
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
  /** Of the operation: what attempts and evidence are looked up by. */
  readonly operationId: string;

  @Field(() => String)
  readonly key: string;

  @Field(() => Sequence, {
    description: 'Of the last event that changed it: apply a row only if it is not older.',
  })
  readonly sequence: number;

  @Field(() => NodeStatus)
  readonly status: StoredOperation['nodes'][number]['status'];

  @Field(() => TextType, { nullable: true })
  readonly reason: TextType | null;

  @Field(() => Int, { description: 'Number of the newest attempt; 0 = none yet.' })
  readonly attempt: number;

  @Field(() => String, { nullable: true, description: 'Id of the newest attempt.' })
  readonly attemptId: string | null;

  constructor(operationId: string, node: StoredOperation['nodes'][number]) {
    this.operationId = operationId;
    this.key = node.key;
    this.sequence = node.sequence;
    this.status = node.status;
    this.reason = fromReason(node.reason);
    this.attempt = node.attempt;
    this.attemptId = node.attemptId;
  }
}

@ObjectType('Operation', { description: 'One run of a plan.' })
export class OperationType {
  @Field(() => ID)
  readonly id: string;

  @Field(() => String, { description: '`op-142`' })
  readonly number: string;

  @Field(() => Sequence, {
    description: 'Of its last event. Read it first, then rows may repeat and never be missed.',
  })
  readonly sequence: number;

  @Field(() => OperationStatus)
  readonly status: StoredOperation['status'];

  @Field(() => TextType, { nullable: true })
  readonly reason: TextType | null;

  @Field(() => TextType)
  readonly title: TextType;

  readonly resourceKey: string;

  readonly environmentName: string;

  @Field(() => DateTime)
  readonly createdAt: string;

  @Field(() => DateTime, { nullable: true })
  readonly endedAt: string | null;

  private constructor(row: Omit<OperationSummary, 'title'>, title: TextType) {
    this.id = row.id;
    this.number = row.number;
    this.sequence = row.sequence;
    this.status = row.status;
    this.reason = fromReason(row.reason);
    this.title = title;
    this.resourceKey = row.subject;
    this.environmentName = row.environment;
    this.createdAt = row.createdAt;
    this.endedAt = row.endedAt;
  }

  static ofSummary(row: OperationSummary): OperationType {
    return new OperationType(row, fromPackText(row.title));
  }

  static ofStored(stored: StoredOperation): OperationType {
    return new OperationType(stored, fromPackText(stored.plan.title));
  }
}

export const OperationConnectionType = connectionOf<OperationType>('Operation', () => OperationType);

/** Stages in the plan's order, which is how people read them. */
export function stageRuns(plan: Plan, stages: readonly StageWrite[]): readonly StageRunType[] {
  const order = new Map(plan.stages.map((stage, index) => [stage.id, index]));
  return [...stages]
    .sort((a, b) => (order.get(a.id) ?? stages.length) - (order.get(b.id) ?? stages.length))
    .map((stage) => new StageRunType(stage, plan.stages[order.get(stage.id) ?? -1]));
}
