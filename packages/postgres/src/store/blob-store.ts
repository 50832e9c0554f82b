import type { BlobStore } from '@capstan/engine';
import { bytesHash } from '@capstan/model';
import type { DataSource } from 'typeorm';
import { BlobRow } from '../entity/blob.js';
import { overLostConnections } from '../lost-connection.js';

/** Bytes by content: the same bytes are stored once. */
export function blobStore(source: DataSource): BlobStore {
  return {
    put: (bytes) =>
      overLostConnections(async () => {
        const hash = bytesHash(bytes);
        await source.manager
          .createQueryBuilder()
          .insert()
          .into(BlobRow)
          .values({ hash, size: String(bytes.length), bytes: Buffer.from(bytes) })
          .orIgnore()
          .execute();
        return hash;
      }),
    get: (hash) =>
      overLostConnections(async () => {
        const row = await source.manager.findOneBy(BlobRow, { hash });
        return row ? new Uint8Array(row.bytes) : null;
      }),
  };
}
