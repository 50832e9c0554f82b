import type { StoredArtifact } from '@capstan/engine';
import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { connectionOf } from './connection.js';
import type { GraphContext } from './context.js';
import { NodeType } from './node.js';
import { ByteOffset, DateTime } from './scalars.js';

@ObjectType('Artifact', { implements: NodeType, description: 'A version of a named output.' })
export class ArtifactType implements NodeType {
  @Field(() => ID)
  readonly id: string;

  @Field(() => String)
  readonly name: string;

  @Field(() => String, { description: 'Key of the resource that owns it.' })
  readonly owner: string;

  @Field(() => Int)
  readonly version: number;

  @Field(() => Boolean, { description: 'Its value is given by `revealArtifact` only.' })
  readonly sensitive: boolean;

  @Field(() => ByteOffset, { description: 'Bytes.' })
  readonly size: number;

  @Field(() => String, { description: 'SHA-256; of a sensitive one a keyed hash.' })
  readonly contentHash: string;

  @Field(() => String, { description: '`operation` or `resource`: what it ends with.' })
  readonly keep: string;

  @Field(() => DateTime)
  readonly createdAt: string;

  @Field(() => DateTime, { nullable: true })
  readonly expiresAt: string | null;

  @Field(() => String, { nullable: true, description: 'The node that made it; null: the server did.' })
  readonly nodeKey: string | null;

  @Field(() => ID, { nullable: true })
  readonly attemptId: string | null;

  constructor(artifact: StoredArtifact) {
    this.id = artifact.id;
    this.name = artifact.name;
    this.owner = artifact.owner;
    this.version = artifact.version;
    this.sensitive = artifact.sensitive;
    this.size = artifact.size;
    this.contentHash = artifact.contentHash;
    this.keep = artifact.keep;
    this.createdAt = artifact.createdAt;
    this.expiresAt = artifact.expiresAt;
    this.nodeKey = artifact.nodeKey;
    this.attemptId = artifact.attemptId;
  }
}

export const ArtifactConnectionType = connectionOf<ArtifactType>('Artifact', () => ArtifactType);

@Resolver(() => ArtifactType)
export class ArtifactValue {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Null when it is sensitive, no UTF-8, or larger than 64 KiB.',
  })
  async value(@Root() artifact: ArtifactType, @Ctx() { loaders }: GraphContext): Promise<string | null> {
    const bytes = artifact.sensitive ? null : await loaders.artifactBytes.load(artifact.id);
    return bytes && textOf(bytes);
  }
}

/** The bytes as text; null when they are no UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
