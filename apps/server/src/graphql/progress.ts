import type { AllowedAction, Blocker, Progress } from '@capstan/engine';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DurationRange } from './duration-range.js';
import { ActionVerb, BlockerKind } from './enums.js';
import { DateTime } from './scalars.js';
import { fromPackText, fromText, TextType } from './text.js';

@ObjectType('Progress', { description: 'How far an operation is. A phase is a stage of its plan.' })
export class ProgressType {
  @Field(() => TextType, {
    nullable: true,
    description: 'Title of the phase at work, or of the next one; null: it is over.',
  })
  readonly phase: TextType | null;

  @Field(() => Int, { description: 'Phases whose every step is proved.' })
  readonly phasesDone: number;

  @Field(() => Int)
  readonly phasesTotal: number;

  @Field(() => Int, { description: 'Phases that only a patch put there.' })
  readonly addedByPatch: number;

  @Field(() => Int, { description: 'Steps that wait for a person, or 1 when the operation itself does.' })
  readonly needsAttention: number;

  @Field(() => DurationRange, {
    nullable: true,
    description:
      'From now. Null without ground: no such operation before it, and fewer than two phases done.',
  })
  readonly remaining: DurationRange | null;

  @Field(() => Boolean, { description: 'It runs longer than nine of ten before it.' })
  readonly longerThanUsual: boolean;

  @Field(() => DateTime, { nullable: true, description: 'When it will probably ask a person next.' })
  readonly nextPersonAt: string | null;

  constructor(progress: Progress) {
    this.phase = progress.phase === null ? null : fromPackText(progress.phase);
    this.phasesDone = progress.phasesDone;
    this.phasesTotal = progress.phasesTotal;
    this.addedByPatch = progress.addedByPatch;
    this.needsAttention = progress.needsAttention;
    this.remaining = progress.remaining;
    this.longerThanUsual = progress.longerThanUsual;
    this.nextPersonAt = progress.nextPersonAt;
  }
}

@ObjectType('Blocker', { description: 'What an operation waits for.' })
export class BlockerType {
  @Field(() => BlockerKind)
  readonly kind: Blocker['kind'];

  @Field(() => TextType)
  readonly what: TextType;

  @Field(() => [String], {
    description:
      'Who can help: `permission:<name>` = anybody who has it, `capstan` = it goes on by itself as soon as it can. More may come.',
  })
  readonly who: readonly string[];

  @Field(() => DateTime)
  readonly since: string;

  @Field(() => ID, { nullable: true, description: 'Id of what waits, such as an attempt.' })
  readonly link: string | null;

  @Field(() => [String], { description: 'Keys of the first 20 nodes that it holds up.' })
  readonly nodeKeys: readonly string[];

  constructor(blocker: Blocker) {
    this.kind = blocker.kind;
    this.what = fromText(blocker.what);
    this.who = blocker.who;
    this.since = blocker.since;
    this.link = blocker.link;
    this.nodeKeys = blocker.nodeKeys;
  }
}

@ObjectType('AllowedAction', { description: 'What this viewer may do now, else why not.' })
export class AllowedActionType {
  @Field(() => ActionVerb)
  readonly verb: AllowedAction['verb'];

  @Field(() => Boolean)
  readonly allowed: boolean;

  @Field(() => TextType, { nullable: true, description: 'Why it is not allowed; null: it is.' })
  readonly why: TextType | null;

  @Field(() => TextType, { description: 'What it would do, with hosts and counts.' })
  readonly effect: TextType;

  constructor(action: AllowedAction) {
    this.verb = action.verb;
    this.allowed = action.allowed;
    this.why = action.why === null ? null : fromText(action.why);
    this.effect = fromText(action.effect);
  }
}
