import { ArtifactRow } from './artifact.js';
import { AuditEntryRow } from './audit-entry.js';
import { BlobRow } from './blob.js';
import { EnvironmentRow } from './environment.js';
import { FactRow } from './fact.js';
import { HostRow } from './host.js';
import { PackRow } from './pack.js';
import { PackFileRow } from './pack-file.js';
import { ProvenInputRow } from './proven-input.js';
import { ResourceRow } from './resource.js';
import { SecretRow } from './secret.js';
import { TokenRow } from './token.js';

/** Every row that TypeORM reads or writes; operations are not among them: they have one writer and one statement. */
export const ENTITIES = [
  ArtifactRow,
  AuditEntryRow,
  BlobRow,
  EnvironmentRow,
  FactRow,
  HostRow,
  PackRow,
  PackFileRow,
  ProvenInputRow,
  ResourceRow,
  SecretRow,
  TokenRow,
];
