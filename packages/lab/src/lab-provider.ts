import type { Provenance } from '@capstan/model';

/** A host that a lab offers; it is reached over SSH like any other. */
export interface LabHost {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Login user whose key is the lab's client key. */
  readonly user: string;
  /** OpenSSH form, `SHA256:…`. */
  readonly hostKeyFingerprint: string;
  readonly provenance: Provenance;
  /** Whether what runs on the host cannot reach the machine's own files and processes. */
  readonly isolated: boolean;
}

/** One tier of hosts to try and to test on. */
export interface LabProvider<Host extends LabHost = LabHost> {
  readonly tier: 'sandbox' | 'debian';
  readonly provenance: Provenance;
  readonly hosts: readonly Host[];
  /** Private key (OpenSSH, 0600) that every host of the lab accepts. */
  readonly clientKeyFile: string;
  /** Starts all hosts; a second call changes nothing. */
  start(): Promise<void>;
  /** Ends everything the lab started; resolves when no process of it is left. */
  stop(): Promise<void>;
}
