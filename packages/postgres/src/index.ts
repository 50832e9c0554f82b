export type { DatabaseConnection } from './connection.js';
export { connectionUrl } from './connection.js';
export type { Database, DatabaseOptions } from './database.js';
export { openDatabase } from './database.js';
export { nativeFolder } from './embedded/binaries.js';
export type { EmbeddedOptions, EmbeddedServer } from './embedded/start-embedded.js';
export { startEmbedded } from './embedded/start-embedded.js';
export { isLostConnection } from './lost-connection.js';
