import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a resource is known to have. Written by commits only. */
@Entity({ name: 'facts' })
export class FactRow {
  @PrimaryColumn({ type: 'text' })
  resource!: string;

  @PrimaryColumn({ type: 'text' })
  capability!: string;

  @Column({ type: 'text' })
  state!: string;

  @Column({ type: 'json' })
  attributes!: object;

  @Column({ type: 'text' })
  provenance!: string;

  @Column({ type: 'text', array: true })
  evidence!: string[];

  @Column({ type: 'text', name: 'check_digest' })
  checkDigest!: string;

  @Column({ type: 'text', name: 'pack_version' })
  packVersion!: string;

  @Column({ type: 'timestamptz', name: 'proved_at' })
  provedAt!: Date;

  @Column({ type: 'timestamptz', name: 'fresh_until', nullable: true })
  freshUntil!: Date | null;
}
