import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A version of a named output; its bytes lie elsewhere. Written by commits only. */
@Entity({ name: 'artifacts' })
export class ArtifactRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  owner!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'integer' })
  version!: number;

  @Column({ type: 'boolean' })
  sensitive!: boolean;

  @Column({ type: 'bigint' })
  size!: string;

  @Column({ type: 'text', name: 'content_hash' })
  contentHash!: string;

  @Column({ type: 'text', name: 'storage_kind' })
  storageKind!: string;

  @Column({ type: 'text', name: 'storage_ref' })
  storageRef!: string;

  @Column({ type: 'text' })
  keep!: string;

  @Column({ type: 'text', name: 'operation_id', nullable: true })
  operationId!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt!: Date | null;
}
