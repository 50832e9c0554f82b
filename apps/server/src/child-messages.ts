import type { RoleConfig } from './config.js';

/** What supervisor and children say to each other. The configuration goes this way and not by the environment, where it could be read. */
export type ToChild = { readonly kind: 'start'; readonly config: RoleConfig } | { readonly kind: 'stop' };

export type ToSupervisor =
  | { readonly kind: 'hello' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly line: string; readonly portTaken: boolean };
