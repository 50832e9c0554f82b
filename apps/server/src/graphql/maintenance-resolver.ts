import type { FoldersLeft, PruneReport } from '@capstan/engine';
import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { GraphContext } from './context.js';
import { keyOf } from './operation-mutations.js';
import { type ProblemType, resultOf, toProblem } from './problem.js';
import { ByteOffset } from './scalars.js';
import { fromReason, TextType } from './text.js';

@InputType()
export class PruneInput {
  @Field(() => Boolean, { description: 'Only say what would go.' })
  dryRun!: boolean;

  @Field(() => String)
  idempotencyKey!: string;
}

@ObjectType()
export class PrunedItem {
  @Field(() => String, {
    description: 'logs, failed_logs, events, evidence, idempotency_keys or run_folders; more may come.',
  })
  kind!: string;

  @Field(() => Int)
  objects!: number;

  @Field(() => ByteOffset, {
    nullable: true,
    description: 'Null for folders on hosts: nobody measured them.',
  })
  bytes!: number | null;
}

@ObjectType({ description: 'Run folders that stay for now.' })
export class FoldersLeftType {
  @Field(() => String)
  readonly host: string;

  @Field(() => Int)
  readonly folders: number;

  @Field(() => TextType, { nullable: true, description: 'Null: the host is not known any more.' })
  readonly reason: TextType | null;

  constructor(left: FoldersLeft) {
    this.host = left.host;
    this.folders = left.folders;
    this.reason = fromReason(left.reason);
  }
}

@ObjectType('PruneReport', { description: 'What is older than its age: what would go, or what went.' })
export class PruneReportType {
  @Field(() => Boolean)
  readonly dryRun: boolean;

  @Field(() => Boolean, {
    description: 'False: the time of a request was over before everything was gone. Ask again.',
  })
  readonly complete: boolean;

  @Field(() => [PrunedItem])
  readonly items: readonly PrunedItem[];

  @Field(() => [FoldersLeftType])
  readonly left: readonly FoldersLeftType[];

  constructor(report: PruneReport) {
    this.dryRun = report.dryRun;
    this.complete = report.complete;
    this.items = report.items;
    this.left = report.left.map((one) => new FoldersLeftType(one));
  }
}

@InputType()
export class RotateKeyInput {
  @Field(() => String)
  idempotencyKey!: string;
}

@ObjectType()
export class RotatedKey {
  @Field(() => String, { description: 'Public id of the key that is gone.' })
  former!: string;

  @Field(() => String, { description: 'Public id of the key that all data keys are wrapped with now.' })
  current!: string;

  @Field(() => Int, { description: 'Data keys that this call wrapped anew.' })
  rewrapped!: number;

  @Field(() => Boolean, { description: 'It went on with a rotation that had been interrupted.' })
  resumed!: boolean;
}

const PruneResult = resultOf('PruneResult', PruneReportType);
const RotateKeyResult = resultOf('RotateKeyResult', RotatedKey);

@Resolver()
export class MaintenanceResolver {
  @Mutation(() => PruneResult, { description: 'Removes what is older than the configured ages.' })
  async prune(
    @Arg('input', () => PruneInput) input: PruneInput,
    @Ctx() { maintenance, actor }: GraphContext,
  ): Promise<PruneReportType | ProblemType> {
    const key = keyOf(input);
    const outcome = input.dryRun ? await maintenance.due(actor) : await maintenance.prune(actor, key);
    return outcome.ok ? new PruneReportType(outcome.value) : toProblem(outcome.problems);
  }

  @Mutation(() => RotateKeyResult, {
    description: 'Replaces the key that encrypts the data keys of all secrets, while everything goes on.',
  })
  async rotateKey(
    @Arg('input', () => RotateKeyInput) input: RotateKeyInput,
    @Ctx() { maintenance, actor }: GraphContext,
  ): Promise<RotatedKey | ProblemType> {
    const outcome = await maintenance.rotateKey(actor, keyOf(input));
    return outcome.ok ? Object.assign(new RotatedKey(), outcome.value) : toProblem(outcome.problems);
  }
}
