import type { StoredAttempt } from '@capstan/engine';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { AttemptStatus } from './enums.js';
import { NodeType } from './node.js';
import { ByteOffset, DateTime } from './scalars.js';
import { fromReason, TextType } from './text.js';

@ObjectType('LogInfo', {
  description: 'What is stored of the output of an attempt; read it with `attemptLog`.',
})
export class LogInfoType {
  @Field(() => String, { description: 'Where its bytes are given raw, by HTTP range.' })
  href!: string;

  @Field(() => ByteOffset)
  size!: number;

  @Field(() => Boolean, { description: 'No more bytes will come.' })
  complete!: boolean;

  @Field(() => String, { description: 'Changes when stored bytes were masked or removed afterwards.' })
  etag!: string;

  @Field(() => ByteOffset, {
    nullable: true,
    description: 'First byte of the middle that was not kept, because the output is too long.',
  })
  cutFrom!: number | null;

  @Field(() => ByteOffset, { nullable: true, description: 'First byte after that which is there.' })
  cutTo!: number | null;

  @Field(() => DateTime, { nullable: true, description: 'When retention removed all of it.' })
  prunedAt!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Of what was removed: SHA-256 over the SHA-256 of each stored piece, in order.',
  })
  sha256!: string | null;
}

@ObjectType('Attempt', { implements: NodeType, description: 'One try of a node on a host.' })
export class AttemptType implements NodeType {
  @Field(() => ID)
  readonly id: string;

  @Field(() => String)
  readonly nodeKey: string;

  @Field(() => Int)
  readonly number: number;

  @Field(() => AttemptStatus)
  readonly status: StoredAttempt['status'];

  @Field(() => String, { description: 'Host on which it ran.' })
  readonly host: string;

  @Field(() => Int, { nullable: true })
  readonly exitCode: number | null;

  @Field(() => TextType, { nullable: true })
  readonly cause: TextType | null;

  @Field(() => DateTime)
  readonly startedAt: string;

  @Field(() => DateTime, { nullable: true })
  readonly endedAt: string | null;

  @Field(() => LogInfoType)
  readonly log: LogInfoType;

  constructor(attempt: StoredAttempt) {
    this.id = attempt.id;
    this.nodeKey = attempt.nodeKey;
    this.number = attempt.number;
    this.status = attempt.status;
    this.host = attempt.host;
    this.exitCode = attempt.end?.kind === 'exited' ? attempt.end.code : null;
    this.cause = fromReason(attempt.reason);
    this.startedAt = attempt.startedAt;
    this.endedAt = attempt.endedAt;
    this.log = {
      href: `/logs/${attempt.id}`,
      size: attempt.logSize,
      complete: attempt.logComplete,
      etag: attempt.logEtag,
      cutFrom: attempt.logCut?.from ?? null,
      cutTo: attempt.logCut?.to ?? null,
      prunedAt: attempt.logPruned?.at ?? null,
      sha256: attempt.logPruned?.sha256 ?? null,
    };
  }
}

export const AttemptConnectionType = connectionOf<AttemptType>('Attempt', () => AttemptType);
