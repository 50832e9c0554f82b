import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A managed thing. */
@Entity({ name: 'resources' })
export class ResourceRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'environment_id' })
  environmentId!: string;

  @Column({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'json' })
  attributes!: object;
}
