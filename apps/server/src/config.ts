import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RetentionAges } from '@capstan/engine';

/** Root of this checkout: `apps/server/src` and `apps/server/dist` lie equally deep. */
export const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `supervisor` starts `api` and `worker` as children; each role can also run apart against a `DATABASE_URL`. */
export type Role = 'supervisor' | 'api' | 'worker' | 'migrate';

const ROLES: readonly Role[] = ['supervisor', 'api', 'worker', 'migrate'];

/** The role by argument, else by `CAPSTAN_ROLE`; null for a word that is none. */
export function readRole(argument: string | undefined, env: NodeJS.ProcessEnv = process.env): Role | null {
  const word = argument ?? (env.CAPSTAN_ROLE || 'supervisor');
  return ROLES.find((role) => role === word) ?? null;
}

/** Everything the server may be told from outside. Times in milliseconds, folders absolute. */
export interface Config {
  readonly host: '127.0.0.1';
  /** 0 = any free port. `explicit` = a person asked for this one, so another one is no answer. */
  readonly port: { readonly value: number; readonly explicit: boolean };
  readonly data: string;
  /** Null: the one made at the first start. */
  readonly token: string | null;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Folders of packs, the shipped ones first. */
  readonly packFolders: readonly string[];
  readonly lab: 'sandbox' | 'none';
  readonly unreachableAfterMs: number;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly sweepMs: number;
  readonly planningMs: number;
  readonly retention: RetentionAges;
  readonly logLevel: LogLevel;
  /** The only origins of pages, when any is named; the first is the one that links are made of. */
  readonly publicOrigins: readonly string[];
  /** Whether the API also serves the pages. */
  readonly web: boolean;
}

/** What a role needs to run: the configuration with its open questions answered by the supervisor. */
export interface RoleConfig extends Config {
  readonly databaseUrl: string;
  /** Names this start of the server. */
  readonly instance: string;
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly lines: readonly string[] };

/** Reads the environment; every bad value is one line that names it and says what would be right. */
export function readConfig(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): ConfigResult {
  const lines: string[] = [];
  const read = reader(env, lines);
  const databaseUrl = read.databaseUrl();
  const config: Config = {
    host: read.host(),
    port: read.port(),
    data: resolve(cwd, env.CAPSTAN_DATA || join(REPOSITORY, '.capstan')),
    token: read.token(),
    databaseUrl,
    packFolders: [join(REPOSITORY, 'scenario-packs'), ...read.folders('CAPSTAN_PACKS', cwd)],
    lab: read.oneOf('CAPSTAN_LAB', ['sandbox', 'none'] as const, databaseUrl === null ? 'sandbox' : 'none'),
    unreachableAfterMs: read.duration('CAPSTAN_UNREACHABLE_AFTER', 120_000, 1_000),
    leaseMs: read.duration('CAPSTAN_LEASE', 20_000, 1_000),
    heartbeatMs: read.duration('CAPSTAN_HEARTBEAT', 5_000, 100),
    sweepMs: read.duration('CAPSTAN_SWEEP', 5_000, 100),
    planningMs: read.duration('CAPSTAN_PLANNING_DEADLINE', 10_000, 100),
    // An hour at least for what cannot be brought back: `90s` for `90d` would empty an installation.
    retention: {
      logsMs: read.duration('CAPSTAN_RETAIN_LOGS', 90 * DAY, HOUR),
      failedLogsMs: read.duration('CAPSTAN_RETAIN_FAILED', 365 * DAY, HOUR),
      logBytes: read.size('CAPSTAN_RETAIN_LOG_BYTES', 20_000_000_000),
      eventsMs: read.duration('CAPSTAN_RETAIN_EVENTS', 730 * DAY, HOUR),
      succeededFoldersMs: read.duration('CAPSTAN_RETAIN_FOLDERS', 7 * DAY, 1_000),
      otherFoldersMs: read.duration('CAPSTAN_RETAIN_FAILED_FOLDERS', 30 * DAY, 1_000),
      // What a repeated request is promised.
      idempotencyMs: DAY,
    },
    logLevel: read.oneOf('CAPSTAN_LOG_LEVEL', LOG_LEVELS, 'info'),
    publicOrigins: read.origins('CAPSTAN_PUBLIC_URL'),
    web: read.oneOf('CAPSTAN_WEB', ['on', 'off'] as const, 'on') === 'on',
  };
  // One missed heartbeat must not cost the lease.
  if (config.heartbeatMs * 2 > config.leaseMs) {
    lines.push(
      'CAPSTAN_HEARTBEAT must be at most half of CAPSTAN_LEASE, or one late heartbeat loses the lease',
    );
  }
  return lines.length === 0 ? { ok: true, config } : { ok: false, lines };
}

/** `1500ms`, `20s`, `2m`, `1h`, `90d` in milliseconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  if (!match) return null;
  const unit = { ms: 1, s: 1_000, m: 60_000, h: HOUR, d: DAY }[match[2] as 'ms' | 's' | 'm' | 'h' | 'd'];
  return Number(match[1]) * unit;
}

/** `500MB`, `20GB`, `1TB` in bytes, by thousands; null for anything else. */
export function parseSize(text: string): number | null {
  const match = /^(\d{1,6})(MB|GB|TB)$/.exec(text.trim());
  return match ? Number(match[1]) * { MB: 1e6, GB: 1e9, TB: 1e12 }[match[2] as 'MB' | 'GB' | 'TB'] : null;
}

/** `https://Capstan.example/` as browsers write it in `Origin`; null for what is no address of pages at the root. */
function originOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const fits =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname + url.search + url.hash + url.username === '/';
  return fits ? url.origin : null;
}

/** Address of the pages of a server on this port, ends with `/`. */
export function baseUrl({ host, publicOrigins }: Config, port: number): string {
  return `${publicOrigins[0] ?? `http://${host}:${port}`}/`;
}

function reader(env: NodeJS.ProcessEnv, lines: string[]) {
  const refuse = <T>(line: string, instead: T): T => {
    lines.push(line);
    return instead;
  };
  return {
    host(): '127.0.0.1' {
      const value = env.CAPSTAN_HOST || '127.0.0.1';
      if (value === '127.0.0.1') return value;
      return refuse(
        `CAPSTAN_HOST=${value}: only 127.0.0.1 until people have accounts; use an SSH tunnel`,
        '127.0.0.1',
      );
    },
    port(): Config['port'] {
      const text = env.CAPSTAN_PORT;
      if (text === undefined || text === '') return { value: 4400, explicit: false };
      const value = Number(text);
      const fits = /^\d{1,5}$/.test(text) && value <= 65_535;
      return fits
        ? { value, explicit: true }
        : refuse(`CAPSTAN_PORT=${text}: expected a port from 0 (any free one) to 65535`, {
            value: 0,
            explicit: true,
          });
    },
    token(): string | null {
      const value = env.CAPSTAN_TOKEN;
      if (value === undefined || value === '') return null;
      // The value itself is never shown.
      if (/^[\x21-\x7e]{1,512}$/.test(value)) return value;
      return refuse('CAPSTAN_TOKEN: expected 1 to 512 printable ASCII characters without spaces', null);
    },
    databaseUrl(): string | null {
      const value = env.DATABASE_URL;
      if (value === undefined || value === '') return null;
      if (/^postgres(ql)?:\/\/\S+$/.test(value)) return value;
      return refuse('DATABASE_URL: expected postgres://user:password@host:port/database', null);
    },
    folders(name: string, cwd: string): string[] {
      const parts = (env[name] ?? '').split(':').filter((part) => part !== '');
      return parts.map((part) => (isAbsolute(part) ? part : resolve(cwd, part)));
    },
    origins(name: string): readonly string[] {
      const parts = (env[name] ?? '').split(',').map((part) => part.trim());
      return parts
        .filter((part) => part !== '')
        .flatMap((part) => {
          const origin = originOf(part);
          return origin === null
            ? refuse(
                `${name}=${part}: expected addresses such as https://capstan.example, without a path`,
                [],
              )
            : [origin];
        });
    },
    oneOf<T extends string>(name: string, allowed: readonly T[], otherwise: T): T {
      const value = env[name];
      if (value === undefined || value === '') return otherwise;
      const found = allowed.find((one) => one === value);
      return found ?? refuse(`${name}=${value}: expected ${allowed.join(' or ')}`, otherwise);
    },
    size(name: string, otherwise: number): number {
      const text = env[name];
      if (text === undefined || text === '') return otherwise;
      return parseSize(text) ?? refuse(`${name}=${text}: expected a size, such as 500MB or 20GB`, otherwise);
    },
    duration(name: string, otherwise: number, least: number): number {
      const text = env[name];
      if (text === undefined || text === '') return otherwise;
      const value = parseDuration(text);
      if (value !== null && value >= least) return value;
      return refuse(
        `${name}=${text}: expected a duration of at least ${least}ms, such as 20s or 2m`,
        otherwise,
      );
    },
  };
}
