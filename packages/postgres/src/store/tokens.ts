import { createHash } from 'node:crypto';
import type { Ids, Tokens } from '@capstan/engine';
import { type DataSource, Not } from 'typeorm';
import { TokenRow } from '../entity/token.js';
import { overLostConnections } from '../lost-connection.js';

/** API tokens are long and random, so a plain hash cannot be guessed back. */
export function tokenStore(source: DataSource, ids: Ids): Tokens {
  return {
    save: (name, token) =>
      overLostConnections(() =>
        source.transaction(async (tx) => {
          const hash = hashOf(token);
          await tx.delete(TokenRow, { name, hash: Not(hash) });
          const values = { id: ids.next('tok'), environmentId: null, name, hash };
          await tx.createQueryBuilder().insert().into(TokenRow).values(values).orIgnore().execute();
        }),
      ),
    verify: (token) =>
      overLostConnections(
        async () => (await source.manager.findOneBy(TokenRow, { hash: hashOf(token) }))?.name ?? null,
      ),
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
