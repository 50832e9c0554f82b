import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Bytes by their SHA-256. */
@Entity({ name: 'blobs' })
export class BlobRow {
  @PrimaryColumn({ type: 'text' })
  hash!: string;

  @Column({ type: 'bigint' })
  size!: string;

  @Column({ type: 'bytea' })
  bytes!: Buffer;
}
