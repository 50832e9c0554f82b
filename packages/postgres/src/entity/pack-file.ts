import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file of a pack that jobs send to hosts. */
@Entity({ name: 'pack_files' })
export class PackFileRow {
  @PrimaryColumn({ type: 'text', name: 'pack_digest' })
  packDigest!: string;

  @PrimaryColumn({ type: 'text' })
  path!: string;

  @Column({ type: 'bytea' })
  bytes!: Buffer;
}
