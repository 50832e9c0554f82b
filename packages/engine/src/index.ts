export * from './ports/host-port.js';
export * from './ports/operation-store.js';
export * from './ports/stores.js';
export * from './ports/read-model.js';
