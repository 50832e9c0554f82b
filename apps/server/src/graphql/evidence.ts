import type { Evidence } from '@capstan/model';
import { Field, ID, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { Provenance, Verdict } from './enums.js';
import { DateTime } from './scalars.js';

@ObjectType('Evidence', { description: 'A recorded check: asked, expected, observed, where, when, verdict.' })
export class EvidenceType {
  @Field(() => ID)
  readonly id: string;

  @Field(() => String)
  readonly check: string;

  @Field(() => String, { description: 'Resource key that it speaks about.' })
  readonly subject: string;

  @Field(() => String, { description: 'Host on which it ran.' })
  readonly host: string;

  @Field(() => String, { nullable: true })
  readonly nodeKey: string | null;

  @Field(() => String)
  readonly expected: string;

  @Field(() => String, { description: 'Masked, at most 4 KiB.' })
  readonly observed: string;

  @Field(() => Verdict)
  readonly verdict: Evidence['verdict'];

  @Field(() => Provenance)
  readonly provenance: Evidence['provenance'];

  @Field(() => DateTime)
  readonly at: string;

  @Field(() => DateTime, { nullable: true })
  readonly freshUntil: string | null;

  @Field(() => String, { description: 'SHA-256 of the raw output.' })
  readonly rawHash: string;

  constructor(evidence: Evidence) {
    this.id = evidence.id;
    this.check = evidence.check;
    this.subject = evidence.subject;
    this.host = evidence.from;
    this.nodeKey = evidence.nodeKey;
    this.expected = evidence.expected;
    this.observed = evidence.observed;
    this.verdict = evidence.verdict;
    this.provenance = evidence.provenance;
    this.at = evidence.at;
    this.freshUntil = evidence.freshUntil;
    this.rawHash = evidence.rawHash;
  }
}

export const EvidenceConnectionType = connectionOf<EvidenceType>('Evidence', () => EvidenceType);
