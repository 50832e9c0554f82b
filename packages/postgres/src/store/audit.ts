import type { Audit } from '@capstan/engine';
import type { DataSource } from 'typeorm';
import { managerOf } from '../current-manager.js';
import { AuditEntryRow } from '../entity/audit-entry.js';
import { storable } from '../storable.js';

/** Who decided what; not repeated over a lost connection, because two rows would say that it was decided twice. */
export function auditLog(source: DataSource): Audit {
  return {
    async record({ actor, action, object, detail }) {
      await managerOf(source).insert(AuditEntryRow, {
        actor: storable(actor),
        action,
        object: storable(object),
        detail,
      });
    },
  };
}
