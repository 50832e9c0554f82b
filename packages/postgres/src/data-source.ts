import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { ENTITIES } from './entity/all.js';
import type { Access } from './pool.js';
import { clientConfig } from './pool.js';

/** TypeORM over a few connections of its own. It never changes the schema: migrations do. */
export async function openDataSource(access: Access): Promise<DataSource> {
  const { types: _, ...config } = clientConfig(access);
  const source = new DataSource({
    type: 'postgres',
    entities: ENTITIES,
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    logging: false,
    poolErrorHandler: (error: Error) => access.log(`a database connection broke: ${error.message}`),
    // Last, so that an address in whatever form reaches the driver as it is. TypeORM reads columns by its own types.
    extra: { ...config, max: 4 },
  });
  return source.initialize();
}
