import type { HostConnection, HostPort } from '@capstan/engine';
import {
  type AttemptPlace,
  cancelAttempt,
  collectOutputs,
  forgetAttempt,
  probeAttempt,
  readAttemptLog,
} from './ask-attempt.js';
import { enrolHost } from './enrol-host.js';
import { HostLink, type LinkOptions } from './host-link.js';
import { type RunOptions, runAttempt } from './run-attempt.js';
import { runChecks } from './run-checks.js';
import { scanKey } from './scan-key.js';

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

/** A person waits for the answer. */
const SCAN_MS = 10_000;

export interface SshHosts extends HostPort {
  /** Closes every connection. What runs on hosts goes on there. */
  close(): Promise<void>;
}

/** Hosts over SSH: one shared, host-key-pinned connection per host and process. */
export function createSshHosts(options: SshHostsOptions): SshHosts {
  const settings: LinkOptions & RunOptions = {
    credentials: options.credentials,
    keepaliveMs: options.keepaliveMs ?? 5_000,
    keepaliveCount: options.keepaliveCount ?? 3,
    readyTimeoutMs: options.readyTimeoutMs ?? 15_000,
    channelTimeoutMs: options.channelTimeoutMs ?? 10_000,
    answerTimeoutMs: options.answerTimeoutMs ?? 15_000,
    idleMs: options.idleMs ?? 60_000,
    maxChannels: options.maxChannels ?? 8,
    pollMs: options.pollMs ?? 250,
    killGraceMs: options.killGraceMs ?? 10_000,
  };
  const links = new Map<string, HostLink>();
  const { answerTimeoutMs } = settings;

  /** A record that was changed (address, user, accepted key) is another way in: the old connection ends when it is idle. */
  const linkTo = (host: HostConnection): HostLink => {
    const way = JSON.stringify([
      host.id,
      host.address,
      host.port,
      host.user,
      host.credential,
      host.hostKeyFingerprint,
    ]);
    let link = links.get(way);
    if (link === undefined) {
      link = new HostLink(host, settings);
      links.set(way, link);
    }
    return link;
  };
  const place = (host: HostConnection, ref: AttemptPlace['ref']): AttemptPlace => ({
    host,
    link: linkTo(host),
    ref,
    answerTimeoutMs,
  });

  return {
    scanKey: (address, port) => scanKey(address, port, SCAN_MS),
    enrol: (host) => enrolHost(host, linkTo(host), answerTimeoutMs),
    run: (host, bundle, fromOffset, sink, signal) =>
      runAttempt(host, linkTo(host), settings, bundle, fromOffset, sink, signal),
    readLog: (host, ref, fromOffset, redaction, sink) =>
      readAttemptLog(place(host, ref), fromOffset, redaction, sink),
    probe: (host, ref) => probeAttempt(place(host, ref)),
    cancel: (host, ref, graceMs) => cancelAttempt(place(host, ref), graceMs),
    collect: (host, ref, wanted) => collectOutputs(place(host, ref), wanted),
    check: (host, calls, signal) => runChecks(host, linkTo(host), answerTimeoutMs, calls, signal),
    forget: (host, ref) => forgetAttempt(place(host, ref)),
    async close() {
      await Promise.all([...links.values()].map((link) => link.close()));
      links.clear();
    },
  };
}
