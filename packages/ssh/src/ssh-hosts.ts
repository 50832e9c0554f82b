import type { HostPort } from '@capstan/engine';
import { CapstanError } from '@capstan/model';

/** How hosts are reached. Times in milliseconds; every default is what production uses. */
export interface SshHostsOptions {
  /** The private key (OpenSSH or PEM text) behind a secret reference; it is asked for at each new connection. */
  readonly credentials: (ref: string) => Promise<string>;
  /** Interval of keepalives (5,000); a link is dead when `keepaliveCount` (3) of them stay unanswered. */
  readonly keepaliveMs?: number;
  readonly keepaliveCount?: number;
  /** From TCP connect to authenticated (15,000). */
  readonly readyTimeoutMs?: number;
  /** Until a channel is open (10,000). */
  readonly channelTimeoutMs?: number;
  /** Until the host's `/bin/sh` answers on an open channel, sudo included (15,000). */
  readonly answerTimeoutMs?: number;
  /** A connection without a channel is closed after this time (60,000). */
  readonly idleMs?: number;
  /** Channels of one connection at most (8); two of them are kept for short commands, so that a cancel never queues behind jobs. */
  readonly maxChannels?: number;
  /** How often the host looks for new output (250). */
  readonly pollMs?: number;
  /** From TERM to KILL when the host itself ends an attempt at its timeout (10,000). */
  readonly killGraceMs?: number;
}

export interface SshHosts extends HostPort {
  /** Closes every connection. What runs on hosts goes on there. */
  close(): Promise<void>;
}

/** Hosts over SSH: one shared, host-key-pinned connection per host and process. */
export function createSshHosts(_options: SshHostsOptions): SshHosts {
  throw new CapstanError('not_built', 'the SSH hosts are being built');
}
