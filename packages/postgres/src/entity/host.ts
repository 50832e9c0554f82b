import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How to reach a machine; the machine itself is a resource. */
@Entity({ name: 'hosts' })
export class HostRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'resource_id' })
  resourceId!: string;

  @Column({ type: 'text', name: 'environment_id' })
  environmentId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  address!: string;

  @Column({ type: 'integer' })
  port!: number;

  @Column({ type: 'text', name: 'user_name' })
  userName!: string;

  @Column({ type: 'text' })
  credential!: string;

  @Column({ type: 'text', name: 'host_key_fingerprint', nullable: true })
  hostKeyFingerprint!: string | null;

  @Column({ type: 'text', name: 'run_root', nullable: true })
  runRoot!: string | null;

  @Column({ type: 'text', name: 'secret_root', nullable: true })
  secretRoot!: string | null;

  @Column({ type: 'text' })
  provenance!: string;

  @Column({ type: 'boolean' })
  isolated!: boolean;

  @Column({ type: 'text' })
  tier!: string;
}
