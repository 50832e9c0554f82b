import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sealed value and its sealed data key. */
@Entity({ name: 'secrets' })
export class SecretRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'environment_id' })
  environmentId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'integer' })
  version!: number;

  @Column({ type: 'text', name: 'key_id' })
  keyId!: string;

  @Column({ type: 'bytea', name: 'wrapped_key' })
  wrappedKey!: Buffer;

  @Column({ type: 'bytea' })
  sealed!: Buffer;
}
