import { type IntentSource, readIntent } from '@capstan/catalog';
import {
  ControlPlane,
  type DocumentSource,
  type HostPort,
  Maintenance,
  type RetentionAges,
  systemClock,
} from '@capstan/engine';
import { CapstanError, type Intent, type Outcome, ok } from '@capstan/model';
import { type Database, openDatabase } from '@capstan/postgres';
import { createSshHosts, type SshHosts } from '@capstan/ssh';
import type { RoleConfig } from './config.js';
import { SENT_DOCUMENT } from './graphql/document-source.js';
import type { Logger } from './log.js';
import type { Planning } from './planning/planning.js';

/** The adapters of one process, opened together and closed in the right order. */
export interface Adapters {
  readonly database: Database;
  readonly hosts: HostPort;
  close(): Promise<void>;
}

export async function openAdapters(config: RoleConfig, owner: string, log: Logger): Promise<Adapters> {
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.data,
    owner,
    log: (line) => log.warn(line),
  });
  const hosts = openHosts(database);
  return {
    database,
    hosts,
    async close() {
      await hosts.close();
      await database.close();
    },
  };
}

function openHosts({ secrets }: Database): SshHosts {
  return createSshHosts({
    async credentials(ref) {
      const key = await secrets.get(ref);
      if (key === null)
        throw new CapstanError('credential_lost', `the private key ${ref} is not in the store`);
      return new TextDecoder().decode(key);
    },
  });
}

/** The use cases of whoever keeps the installation. */
export function createMaintenance({ database, hosts }: Adapters, ages: RetentionAges): Maintenance {
  return new Maintenance({ ...database, hosts }, ages);
}

/**
 * The use cases over these adapters. What the planner refuses gets the place in the document that was read: the text
 * stays here, by the identity of its intent, because plans and their thread have no use for it.
 */
export function createControlPlane({ database, hosts }: Adapters, planning: Planning): ControlPlane {
  const sources = new WeakMap<Intent, IntentSource>();
  return new ControlPlane({
    ...database,
    hosts,
    clock: systemClock,
    documents: {
      parseIntent(document) {
        const read = readDocument(document);
        if (!read.ok) return read;
        sources.set(read.value.intent, read.value);
        return ok(read.value.intent);
      },
    },
    planning: {
      async plan(input) {
        const outcome = await planning.plan(input);
        if (outcome.kind === 'plan') return outcome;
        return {
          ...outcome,
          problems: sources.get(input.intent)?.locate(outcome.problems) ?? outcome.problems,
        };
      },
    },
  });
}

function readDocument(source: DocumentSource): Outcome<IntentSource> {
  if ('yaml' in source) return readIntent(source.yaml, SENT_DOCUMENT);
  const { json } = source;
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  // What is no object is refused by the same reader that knows places.
  return readIntent(isObject ? json : JSON.stringify(json), SENT_DOCUMENT);
}
