import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One decision of a person or client. */
@Entity({ name: 'audit' })
export class AuditEntryRow {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id!: string;

  @CreateDateColumn({ type: 'timestamptz' })
  at!: Date;

  @Column({ type: 'text' })
  actor!: string;

  @Column({ type: 'text' })
  action!: string;

  @Column({ type: 'text' })
  object!: string;

  @Column({ type: 'json' })
  detail!: Record<string, string | number | boolean | null>;
}
