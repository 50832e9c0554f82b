import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A pack as it was read, pinned by its digest. */
@Entity({ name: 'packs' })
export class PackRow {
  @PrimaryColumn({ type: 'text' })
  digest!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  version!: string;

  @Column({ type: 'json' })
  document!: unknown;

  @Column({ type: 'boolean' })
  active!: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'saved_at' })
  savedAt!: Date;
}
