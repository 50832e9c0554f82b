/** Bounds how often something may be tried: so many per minute from one address, ten times as many from all. */
export class AttemptLimit {
  readonly #tries = new Map<string, number>();
  #all = 0;
  #minute = 0;

  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts one try; false when it is one too many. */
  take(address: string): boolean {
    const minute = Math.floor(this.now() / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#tries.clear();
      this.#all = 0;
    }
    const tries = (this.#tries.get(address) ?? 0) + 1;
    this.#tries.set(address, tries);
    this.#all += 1;
    return tries <= this.perMinute && this.#all <= this.perMinute * 10;
  }

  /** Gives back a try that was none: it succeeded. */
  giveBack(address: string): void {
    this.#tries.set(address, Math.max(0, (this.#tries.get(address) ?? 0) - 1));
    this.#all = Math.max(0, this.#all - 1);
  }
}
