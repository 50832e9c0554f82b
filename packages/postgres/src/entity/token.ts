import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An API token, as its hash. */
@Entity({ name: 'tokens' })
export class TokenRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'environment_id', nullable: true })
  environmentId!: string | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  hash!: string;
}
