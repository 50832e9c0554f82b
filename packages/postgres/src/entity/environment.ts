import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A named scope of resources, secrets and rights. */
@Entity({ name: 'environments' })
export class EnvironmentRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  kind!: string;
}
