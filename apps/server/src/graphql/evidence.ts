import type { StoredEvidence } from '@capstan/engine';
import type { Evidence } from '@capstan/model';
import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { connectionOf } from './connection.js';
import type { GraphContext } from './context.js';
import { Provenance, Verdict } from './enums.js';
import { NodeType } from './node.js';
import { DateTime } from './scalars.js';
import { fromPackText, TextType } from './text.js';

@ObjectType('Evidence', {
  implements: NodeType,
  description: 'A recorded check: asked, expected, observed, where, when, verdict.',
})
export class EvidenceType implements NodeType {
  /** Of the plan that asked. */
  readonly planId: string;

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

  @Field(() => ID, { nullable: true })
  readonly attemptId: string | null;

  constructor(evidence: StoredEvidence) {
    this.planId = evidence.planId;
    this.attemptId = evidence.attemptId;
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

/** What a check asks and what it proves stands in the plan, once for all of its answers. */
@Resolver(() => EvidenceType)
export class EvidenceQuestion {
  @FieldResolver(() => TextType, { nullable: true, description: "The check's title; null: it has none." })
  async asked(
    @Root() { planId, check }: EvidenceType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<TextType | null> {
    const title = (await loaders.plan.load(planId))?.plan.checks[check]?.title;
    return title === undefined ? null : fromPackText(title);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Capability that it helps to prove of its subject; null: it proves an artifact, or nothing that is named.',
  })
  async capability(
    @Root() { planId, check, subject, nodeKey }: EvidenceType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<string | null> {
    const plan = (await loaders.plan.load(planId))?.plan;
    const proofs =
      nodeKey === null ? plan?.provides : plan?.nodes.find((node) => node.key === nodeKey)?.proofs;
    return proofs?.find((one) => one.subject === subject && one.checks.includes(check))?.capability ?? null;
  }
}
