import { initial } from './0001-initial.js';
import { retention } from './0002-retention.js';
import { lists } from './0003-lists.js';
import { sessions } from './0004-sessions.js';

/** One step of the schema. A released step never changes; the next change is the next step. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Every step, oldest first, versions 1, 2, 3 … */
export const MIGRATIONS: readonly Migration[] = [initial, retention, lists, sessions];

/** The schema that this build reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;
