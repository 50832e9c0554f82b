import type { PackStore } from '@capstan/engine';
import type { Pack } from '@capstan/model';
import { CapstanError } from '@capstan/model';
import type { DataSource } from 'typeorm';
import { In } from 'typeorm';
import { PackRow } from '../entity/pack.js';
import { PackFileRow } from '../entity/pack-file.js';
import { overLostConnections } from '../lost-connection.js';

/** Packs by digest: what an operation was planned with stays readable whatever is activated later (S25). */
export function packStore(source: DataSource): PackStore {
  const db = source.manager;
  return {
    save: (pack, files) =>
      source.transaction(async (tx) => {
        const { digest, name, version } = pack;
        await tx
          .createQueryBuilder()
          .insert()
          .into(PackRow)
          .values({ digest, name, version, document: pack as object, active: false })
          .orIgnore()
          .execute();
        for (const [path, bytes] of files) {
          await tx
            .createQueryBuilder()
            .insert()
            .into(PackFileRow)
            .values({ packDigest: digest, path, bytes: Buffer.from(bytes) })
            .orIgnore()
            .execute();
        }
      }),
    catalog: () =>
      overLostConnections(async () => {
        const rows = await db
          .createQueryBuilder(PackRow, 'p')
          .distinctOn(['p.name'])
          .where('p.active')
          .orderBy({ 'p.name': 'ASC', 'p.savedAt': 'DESC' })
          .getMany();
        return { packs: rows.map((row) => row.document as Pack) };
      }),
    activate: (digests) =>
      source.transaction(async (tx) => {
        const known = await tx.find(PackRow, {
          select: { digest: true },
          where: { digest: In([...digests]) },
        });
        const missing = digests.filter((digest) => !known.some((row) => row.digest === digest));
        if (missing.length > 0) throw new CapstanError('unknown_pack', `not saved: ${missing.join(', ')}`);
        await tx.update(PackRow, { active: true }, { active: false });
        if (digests.length > 0) await tx.update(PackRow, { digest: In([...digests]) }, { active: true });
      }),
    file: (packDigest, path) =>
      overLostConnections(async () => {
        const row = await db.findOneBy(PackFileRow, { packDigest, path });
        return row ? new Uint8Array(row.bytes) : null;
      }),
  };
}
