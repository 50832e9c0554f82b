import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityManager } from 'typeorm';

const current = new AsyncLocalStorage<{ readonly source: DataSource; readonly manager: EntityManager }>();

/** The transaction that this call is a part of, else the data source's own manager. */
export function managerOf(source: DataSource): EntityManager {
  const store = current.getStore();
  return store?.source === source ? store.manager : source.manager;
}

/** Runs `work` in one transaction: what it does through {@link managerOf}, in whatever store, is part of it. */
export function together<T>(source: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  return source.transaction((manager) => current.run({ source, manager }, () => work(manager)));
}
