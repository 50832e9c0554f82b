import type { Provenance, Reason } from '@capstan/model';

/** How to reach a host and what enrolment learnt. The private key is fetched by the adapter, never part of this record. */
export interface HostConnection {
  readonly id: string;
  readonly name: string;
  /** `node/<name>`. */
  readonly key: string;
  readonly environment: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** Secret reference of the private key. */
  readonly credential: string;
  /** `SHA256:…` of the pinned host key; null = never accepted, so nothing may be sent. */
  readonly hostKeyFingerprint: string | null;
  /** Fixed at enrolment, on a local file system (S5). Null until the first contact. */
  readonly runRoot: string | null;
  /** Fixed at enrolment, tmpfs where there is one (S10). */
  readonly secretRoot: string | null;
  readonly provenance: Provenance;
  readonly isolated: boolean;
  readonly tier: 'own' | 'sandbox' | 'debian';
}

/** What a host says of itself at enrolment. */
export interface HostEnrolment {
  readonly kind: 'enrolled';
  readonly runRoot: string;
  readonly secretRoot: string;
  /** boot_id + start time of PID 1 (S6). */
  readonly incarnation: string;
  readonly machineId: string;
}

/** A host key that somebody showed: worth nothing until a person has compared it with what is known on another way. */
export interface ScannedKey {
  readonly kind: 'scanned';
  /** `SHA256:…` */
  readonly fingerprint: string;
  /** `ssh-ed25519`, … */
  readonly keyType: string;
}

/** Nothing was changed on the host, and why; the words tell a person what to do (L11). */
export interface Blocked {
  readonly kind: 'blocked';
  readonly reason: Reason;
}

/** Which attempt is meant, on the host. `fence` is `<system>.<timeline>.<counter>`, compared as (timeline, counter) (S13). */
export interface AttemptRef {
  readonly attemptId: string;
  readonly operationId: string;
  readonly nodeKey: string;
  readonly number: number;
  readonly fence: string;
  readonly runRoot: string;
  readonly secretRoot: string;
}

/** A file that goes to a host. Sensitive ones land 0600 under the secret root and are removed at exit (S10). */
export interface HostFile {
  /** Relative; one folder level at most (`<artifact>/<host>`). */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly sensitive: boolean;
}

/** What must never be stored in the clear. Masking keeps the byte length, so offsets on host and in store agree. */
export interface Redaction {
  readonly values: readonly Uint8Array[];
  readonly patterns: readonly string[];
}

/** What runs: a script's bytes or an argv; values reach it only as files and CAPSTAN_PARAM_ variables (L10, C23). */
export interface HostProgram {
  readonly script: Uint8Array | null;
  readonly command: readonly string[] | null;
  /** `login`, `root` or a user name. */
  readonly as: string;
  /** Becomes `$CAPSTAN_PARAMS`; scalars also `CAPSTAN_PARAM_<NAME>` when at most 64 KiB. */
  readonly params: Uint8Array;
  readonly env: Readonly<Record<string, string>>;
  /** `$CAPSTAN_SECRETS/<name>`. */
  readonly secrets: readonly HostFile[];
  /** `$CAPSTAN_INPUTS/<name>`. */
  readonly inputs: readonly HostFile[];
  readonly timeoutMs: number;
}

/** Everything one attempt needs on its host. */
export interface AttemptBundle {
  readonly ref: AttemptRef;
  readonly program: HostProgram;
  readonly redaction: Redaction;
  /** False: nothing of the output may be shown before the secrets it may hold are known (S10). */
  readonly follow: boolean;
}

export interface RunSink {
  started(info: { readonly incarnation: string }): void;
  /** Masked bytes and their offset in the host's output file; the adapter waits for it (back-pressure). */
  log(offset: number, bytes: Uint8Array): Promise<void>;
}

/** How following an attempt ended. Only `exited`, `timed_out` and `dead` say that it is over. */
export type RunResult =
  | { readonly kind: 'exited'; readonly code: number; readonly logSize: number }
  | { readonly kind: 'timed_out'; readonly logSize: number }
  | { readonly kind: 'dead'; readonly why: 'supervisor_died' | 'host_restarted' | 'run_folder_lost' }
  /** The supervisor died, but marked processes live: wait, then the cancel path (S5). */
  | { readonly kind: 'orphaned'; readonly alive: number }
  | { readonly kind: 'refused'; readonly why: 'cancelled' | 'fenced' | 'predecessor_alive' }
  | { readonly kind: 'link_lost'; readonly reason: Reason }
  | Blocked;

export type AttemptProbe =
  | { readonly kind: 'never_started' | 'running' | 'cancelled' }
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'dead'; readonly why: 'supervisor_died' | 'host_restarted' | 'run_folder_lost' }
  | { readonly kind: 'orphaned'; readonly alive: number }
  | Blocked;

/** `gone`: the host found no process of the attempt after the kill. Anything else is no confirmation. */
export type CancelResult =
  | { readonly kind: 'gone' }
  | { readonly kind: 'unconfirmed'; readonly alive: number }
  | Blocked;

export interface WantedOutput {
  readonly name: string;
  /** Bytes (S11). */
  readonly limit: number;
}

export type CollectResult =
  | {
      readonly kind: 'collected';
      readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
      /** `<name>.meta.json` where the job wrote one. */
      readonly meta: Readonly<Record<string, Uint8Array>>;
      /** Not there, or refused: not a regular file, a link, too large. */
      readonly missing: readonly { readonly name: string; readonly why: string }[];
    }
  | Blocked;

export interface CheckCall {
  readonly id: string;
  readonly program: HostProgram;
}

/** What a check printed. Output is cut at 256 KiB per stream; `rawHash` is over all of it. */
export interface CheckAnswer {
  readonly id: string;
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly rawHash: string;
}

/**
 * Running things on hosts safely. Every call verifies the pinned host key first. Expected trouble is a value; a throw is
 * a bug. `run` is the one way to start *and* to follow: it starts the attempt at most once, else attaches (L6, S5).
 */
export interface HostPort {
  /** The key that answers at an address, without logging in and without believing it. Gives up after 10 s. */
  scanKey(address: string, port: number): Promise<ScannedKey | Blocked>;
  enrol(host: HostConnection): Promise<HostEnrolment | Blocked>;
  run(
    host: HostConnection,
    bundle: AttemptBundle,
    fromOffset: number,
    sink: RunSink,
    signal: AbortSignal,
  ): Promise<RunResult>;
  /** The output of an ended attempt from an offset, masked. */
  readLog(
    host: HostConnection,
    ref: AttemptRef,
    fromOffset: number,
    redaction: Redaction,
    sink: Pick<RunSink, 'log'>,
  ): Promise<{ readonly kind: 'read'; readonly logSize: number } | Blocked>;
  probe(host: HostConnection, ref: AttemptRef): Promise<AttemptProbe>;
  /** Tombstone first, then TERM, `graceMs`, KILL, then a probe. */
  cancel(host: HostConnection, ref: AttemptRef, graceMs: number): Promise<CancelResult>;
  collect(host: HostConnection, ref: AttemptRef, wanted: readonly WantedOutput[]): Promise<CollectResult>;
  /** All calls in one round trip, answers one by one in any order. */
  check(
    host: HostConnection,
    calls: readonly CheckCall[],
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'answered'; readonly answers: readonly CheckAnswer[] } | Blocked>;
  /** Removes the run folder of an attempt whose end is durable. */
  forget(host: HostConnection, ref: AttemptRef): Promise<{ readonly kind: 'forgotten' } | Blocked>;
}
