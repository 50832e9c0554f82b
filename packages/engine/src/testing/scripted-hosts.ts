import type { Reason } from '@capstan/model';
import { reason } from '@capstan/model';
import type {
  AttemptBundle,
  AttemptProbe,
  AttemptRef,
  Blocked,
  CancelResult,
  CheckAnswer,
  CheckCall,
  CollectResult,
  HostConnection,
  HostEnrolment,
  HostPort,
  HostProgram,
  Redaction,
  RunResult,
  RunSink,
  ScannedKey,
  WantedOutput,
} from '../ports/host-port.js';

/** What a program does on a scripted host: print, leave outputs, and end with a code when it wants to. */
export interface ScriptedRun {
  readonly ref: AttemptRef;
  readonly program: HostProgram;
  print(text: string): void;
  output(name: string, text: string): void;
  /** Aborted when the attempt is killed; a program that does not look at it ignores TERM. */
  readonly killed: AbortSignal;
}

export type ScriptedProgram = (run: ScriptedRun) => number | Promise<number>;
export type ScriptedCheck = (
  program: HostProgram,
  host: HostConnection,
) => { code: number; stdout?: string; stderr?: string };

interface Journal {
  readonly ref: AttemptRef;
  state: 'published' | 'running' | 'exited' | 'lost';
  code: number;
  log: Uint8Array;
  readonly outputs: Map<string, Uint8Array>;
  readonly kill: AbortController;
  cancelled: boolean;
  changed: () => void;
}

/**
 * Hosts in memory that keep the promises of the real protocol: an attempt starts at most once, survives its follower, is
 * refused after a tombstone, and is the only one of its node. For engine tests and for benches without a network.
 */
export class ScriptedHosts implements HostPort {
  readonly journals = new Map<string, Journal>();
  /** One line per effect: what a job really did, as a host would know it. */
  readonly ledger: string[] = [];
  readonly checksAsked: { id: string; host: string; at: number }[] = [];
  /** Non-null: every call about this host is answered with this. */
  readonly trouble = new Map<string, Reason>();
  /** Called before an attempt is published or attached: a test can stall or cut here. */
  beforeRun: (ref: AttemptRef) => Promise<void> = () => Promise.resolve();
  /** How long TERM and KILL take no effect on what ignores them. */
  stubborn = false;
  private readonly links = new Set<() => void>();
  /** The attempt of each node that was executed last: only that one can be running. */
  private readonly latest = new Map<string, Journal>();

  constructor(
    readonly programs: (nodeKey: string) => ScriptedProgram,
    readonly checks: (id: string) => ScriptedCheck,
  ) {}

  /** Cuts every follower off; what runs on hosts goes on. */
  cutLinks(): void {
    for (const cut of [...this.links]) cut();
  }

  /** The machine went down and came up: nothing of before is alive. */
  restart(): void {
    for (const journal of this.journals.values()) {
      if (journal.state !== 'running') continue;
      journal.state = 'lost';
      journal.changed();
    }
  }

  enrol(host: HostConnection): Promise<HostEnrolment | Blocked> {
    return Promise.resolve(
      this.blocked(host) ?? {
        kind: 'enrolled',
        runRoot: '/var/lib/capstan/run',
        secretRoot: '/run/capstan',
        incarnation: 'boot-1',
        machineId: host.name,
      },
    );
  }

  async run(
    host: HostConnection,
    bundle: AttemptBundle,
    fromOffset: number,
    sink: RunSink,
    signal: AbortSignal,
  ): Promise<RunResult> {
    await this.beforeRun(bundle.ref);
    const blocked = this.blocked(host);
    if (blocked) return blocked;
    const journal = this.publish(bundle);
    if (journal.cancelled) return { kind: 'refused', why: 'cancelled' };
    if (journal.state === 'published') {
      const node = `${bundle.ref.operationId}|${bundle.ref.nodeKey}`;
      if (this.latest.get(node)?.state === 'running') return { kind: 'refused', why: 'predecessor_alive' };
      this.latest.set(node, journal);
      this.exec(journal, bundle);
    }
    sink.started({ incarnation: 'boot-1' });
    return this.followTo(journal, bundle, fromOffset, sink, signal);
  }

  async readLog(
    _host: HostConnection,
    ref: AttemptRef,
    fromOffset: number,
    redaction: Redaction,
    sink: Pick<RunSink, 'log'>,
  ): Promise<{ readonly kind: 'read'; readonly logSize: number } | Blocked> {
    const log = this.journals.get(ref.attemptId)?.log ?? new Uint8Array();
    if (log.length > fromOffset) await sink.log(fromOffset, masked(log.slice(fromOffset), redaction));
    return { kind: 'read', logSize: log.length };
  }

  probe(host: HostConnection, ref: AttemptRef): Promise<AttemptProbe> {
    const blocked = this.blocked(host);
    if (blocked) return Promise.resolve(blocked);
    const journal = this.journals.get(ref.attemptId);
    if (!journal || journal.state === 'published')
      return Promise.resolve({ kind: journal?.cancelled === true ? 'cancelled' : 'never_started' });
    if (journal.state === 'running') return Promise.resolve({ kind: 'running' });
    return Promise.resolve(
      journal.state === 'exited'
        ? { kind: 'exited', code: journal.code }
        : { kind: 'dead', why: 'host_restarted' },
    );
  }

  async cancel(host: HostConnection, ref: AttemptRef, graceMs: number): Promise<CancelResult> {
    const blocked = this.blocked(host);
    if (blocked) return blocked;
    const journal = this.journals.get(ref.attemptId);
    if (!journal) {
      // The tombstone comes first: a start that is still on its way refuses.
      this.journals.set(ref.attemptId, {
        ref,
        state: 'published',
        code: 0,
        log: new Uint8Array(),
        outputs: new Map(),
        kill: new AbortController(),
        cancelled: true,
        changed: () => undefined,
      });
      return { kind: 'gone' };
    }
    journal.cancelled = true;
    if (this.stubborn && journal.state === 'running') return { kind: 'unconfirmed', alive: 1 };
    journal.kill.abort();
    await new Promise((resolve) => setTimeout(resolve, Math.min(graceMs, 5)));
    if (journal.state === 'running') journal.state = 'lost';
    journal.changed();
    return { kind: 'gone' };
  }

  collect(host: HostConnection, ref: AttemptRef, wanted: readonly WantedOutput[]): Promise<CollectResult> {
    const blocked = this.blocked(host);
    if (blocked) return Promise.resolve(blocked);
    const outputs = this.journals.get(ref.attemptId)?.outputs ?? new Map<string, Uint8Array>();
    const files = wanted.flatMap((w) =>
      outputs.has(w.name) ? [{ name: w.name, bytes: outputs.get(w.name) as Uint8Array }] : [],
    );
    return Promise.resolve({
      kind: 'collected',
      files,
      meta: {},
      missing: wanted.filter((w) => !outputs.has(w.name)).map((w) => ({ name: w.name, why: 'not there' })),
    });
  }

  check(
    host: HostConnection,
    calls: readonly CheckCall[],
    _signal: AbortSignal,
  ): Promise<{ readonly kind: 'answered'; readonly answers: readonly CheckAnswer[] } | Blocked> {
    const blocked = this.blocked(host);
    if (blocked) return Promise.resolve(blocked);
    const encoder = new TextEncoder();
    const answers = calls.map((call) => {
      const id = call.id.split('|')[0] ?? call.id;
      this.checksAsked.push({ id, host: host.name, at: performance.now() });
      const { code, stdout = '', stderr = '' } = this.checks(id)(call.program, host);
      return {
        id: call.id,
        exitCode: code,
        timedOut: false,
        stdout: encoder.encode(stdout),
        stderr: encoder.encode(stderr),
        rawHash: 'scripted',
      };
    });
    return Promise.resolve({ kind: 'answered', answers });
  }

  scanKey(address: string): Promise<ScannedKey | Blocked> {
    const why = this.trouble.get(address);
    return Promise.resolve(
      why
        ? { kind: 'blocked', reason: why }
        : { kind: 'scanned', fingerprint: `SHA256:${'k'.repeat(43)}`, keyType: 'ssh-ed25519' },
    );
  }

  forget(_host: HostConnection, ref: AttemptRef): Promise<{ readonly kind: 'forgotten' }> {
    this.journals.delete(ref.attemptId);
    return Promise.resolve({ kind: 'forgotten' });
  }

  private blocked(host: HostConnection): Blocked | null {
    const why = this.trouble.get(host.name);
    return why ? { kind: 'blocked', reason: why } : null;
  }

  private publish(bundle: AttemptBundle): Journal {
    const known = this.journals.get(bundle.ref.attemptId);
    if (known) return known;
    const journal: Journal = {
      ref: bundle.ref,
      state: 'published',
      code: 0,
      log: new Uint8Array(),
      outputs: new Map(),
      kill: new AbortController(),
      cancelled: false,
      changed: () => undefined,
    };
    this.journals.set(bundle.ref.attemptId, journal);
    return journal;
  }

  private exec(journal: Journal, bundle: AttemptBundle): void {
    journal.state = 'running';
    this.ledger.push(`${journal.ref.nodeKey}#${journal.ref.number}`);
    const encoder = new TextEncoder();
    const run: ScriptedRun = {
      ref: journal.ref,
      program: bundle.program,
      killed: journal.kill.signal,
      print: (text) => {
        journal.log = new Uint8Array([...journal.log, ...encoder.encode(text)]);
        journal.changed();
      },
      output: (name, text) => void journal.outputs.set(name, encoder.encode(text)),
    };
    const exit = (code: number): void => {
      if (journal.state !== 'running') return;
      journal.state = 'exited';
      journal.code = code;
      journal.changed();
    };
    const result = this.programs(journal.ref.nodeKey)(run);
    if (typeof result === 'number') exit(result);
    else void result.then(exit);
  }

  private async followTo(
    journal: Journal,
    bundle: AttemptBundle,
    fromOffset: number,
    sink: RunSink,
    signal: AbortSignal,
  ): Promise<RunResult> {
    let offset = fromOffset;
    let cut = false;
    const link = { cut: (): void => undefined };
    const onCut = (): void => {
      cut = true;
      link.cut();
    };
    this.links.add(onCut);
    signal.addEventListener('abort', onCut);
    try {
      for (;;) {
        if (cut) return { kind: 'link_lost', reason: reason('disconnected', { detail: 'the link was cut' }) };
        if (bundle.follow && journal.log.length > offset) {
          const bytes = journal.log.slice(offset);
          await sink.log(offset, masked(bytes, bundle.redaction));
          offset += bytes.length;
          continue;
        }
        if (journal.state === 'exited')
          return { kind: 'exited', code: journal.code, logSize: journal.log.length };
        if (journal.state === 'lost') return { kind: 'dead', why: 'host_restarted' };
        await new Promise<void>((resolve) => {
          link.cut = resolve;
          const former = journal.changed;
          journal.changed = () => {
            former();
            resolve();
          };
        });
      }
    } finally {
      this.links.delete(onCut);
      signal.removeEventListener('abort', onCut);
    }
  }
}

function masked(bytes: Uint8Array, redaction: Redaction): Uint8Array {
  let text = Buffer.from(bytes).toString('latin1');
  for (const value of redaction.values) {
    const secret = Buffer.from(value).toString('latin1');
    if (secret.length > 0) text = text.replaceAll(secret, '*'.repeat(secret.length));
  }
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
