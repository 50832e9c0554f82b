import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the newest proven attempt of a job was given. Written by commits only. */
@Entity({ name: 'proven_inputs' })
export class ProvenInputRow {
  @PrimaryColumn({ type: 'text' })
  subject!: string;

  @PrimaryColumn({ type: 'text' })
  job!: string;

  @PrimaryColumn({ type: 'text' })
  target!: string;

  @Column({ type: 'text', name: 'input_hash' })
  inputHash!: string;
}
