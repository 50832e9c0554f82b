export { connectionUrl } from './connection.js';
export type { DatabaseConnection } from './connection.js';
export { openDatabase } from './database.js';
export type { Database, DatabaseOptions } from './database.js';
export { startEmbedded } from './embedded.js';
export type { EmbeddedOptions, EmbeddedServer } from './embedded.js';
