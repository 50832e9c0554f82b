/** A role at work in this process. */
export interface RunningRole {
  /** Finishes what cannot be left half done; resolves when the process may end. */
  stop(): Promise<void>;
}

/** The start cannot go on, for a reason that is one clear line for a person. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
  constructor(
    line: string,
    /** The port was taken between looking and listening: another one may do. */
    readonly portTaken = false,
  ) {
    super(line);
  }
}
