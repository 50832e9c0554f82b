import type { ProofStore } from '@capstan/engine';
import type { DataSource } from 'typeorm';
import { ProvenInputRow } from '../entity/proven-input.js';
import { overLostConnections } from '../lost-connection.js';

/** What each job was given when it was last proven (S4); commits write it. */
export function proofStore(source: DataSource): ProofStore {
  return {
    proofs: (subject) =>
      overLostConnections(async () => {
        const rows = await source.manager.findBy(ProvenInputRow, { subject });
        return new Map(rows.map((row) => [`${row.job}|${row.target}`, row.inputHash]));
      }),
  };
}
