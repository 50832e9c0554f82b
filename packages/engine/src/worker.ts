import type { EngineDependencies, EngineOptions } from './dependencies.js';
import { Driver } from './driver.js';
import { rememberPackFiles } from './pack-files.js';
import { rememberHosts } from './remembered-hosts.js';

/**
 * One worker process: takes operations that nobody drives, renews its leases, and looks every few seconds for what lost
 * its driver. Wake-ups only make it faster (S1): without any of them the sweep alone finds everything.
 */
export class Worker {
  private readonly drivers = new Map<string, { driver: Driver; done: Promise<void> }>();
  private readonly taking = new Set<string>();
  private readonly stopping = new AbortController();
  private readonly deps: EngineDependencies;
  private loops: Promise<void>[] = [];

  constructor(
    deps: EngineDependencies,
    private readonly options: EngineOptions,
    /** New for every process start, so that a restarted worker is nobody's former self. */
    private readonly owner: string,
  ) {
    this.deps = {
      ...deps,
      packs: rememberPackFiles(deps.packs),
      inventory: rememberHosts(deps.inventory, deps.clock),
    };
  }

  async start(): Promise<void> {
    await this.deps.store.renew(this.owner, this.options.leaseMs);
    await this.deps.wakeUps.listen({
      wake: (operationId) => void this.take(operationId),
      changed: (operationId) => this.drivers.get(operationId)?.driver.changed(),
    });
    this.loops = [
      this.every(this.options.heartbeatMs, 'heartbeat', () => this.beat()),
      this.every(this.options.sweepMs, 'sweep', () => this.sweep()),
    ];
    await this.sweep();
  }

  /** Lets go of every operation, so that another worker can take it at once; remote work goes on. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.deps.wakeUps.stop();
    for (const { driver } of this.drivers.values()) driver.stop('stopped');
    await Promise.all([...this.loops, ...[...this.drivers.values()].map((d) => d.done)]);
  }

  /** Operations that this process drives now. */
  get driving(): readonly string[] {
    return [...this.drivers.keys()];
  }

  private async take(operationId: string): Promise<void> {
    const known = this.drivers.get(operationId);
    if (known) return known.driver.changed();
    if (this.taking.has(operationId) || this.stopping.signal.aborted) return;
    this.taking.add(operationId);
    try {
      const lease = await this.deps.store.lease(operationId, this.owner, this.options.leaseMs);
      if (!lease) return;
      const driver = new Driver(this.deps, this.options, lease);
      const done = this.drive(driver, lease);
      this.drivers.set(operationId, { driver, done });
      if (this.stopping.signal.aborted) driver.stop('stopped');
    } catch (error) {
      this.deps.report(`operation ${operationId}: cannot be taken`, error);
    } finally {
      this.taking.delete(operationId);
    }
  }

  private async drive(
    driver: Driver,
    lease: Parameters<EngineDependencies['store']['release']>[0],
  ): Promise<void> {
    try {
      const how = await driver.drive();
      // The commit that ended it gave it back.
      if (how !== 'lost' && how !== 'over') await this.deps.store.release(lease);
    } catch (error) {
      // The next beat takes it again, or its lease runs out and any worker does: nothing is lost.
      this.deps.report(`operation ${lease.operationId}: driver stopped`, error);
    } finally {
      this.drivers.delete(lease.operationId);
    }
    if (driver.wantsAnother && !this.stopping.signal.aborted) await this.take(lease.operationId);
  }

  /**
   * What was taken while the answer was on its way is not in it: only drivers of before may be told that they lost. What is
   * ours and nobody here drives (its driver threw) would be renewed for ever, so it is taken anew.
   */
  private async beat(): Promise<void> {
    const asked = [...this.drivers];
    const mine = await this.deps.store.renew(this.owner, this.options.leaseMs);
    for (const [id, { driver }] of asked) if (!mine.has(id)) driver.stop('lost');
    for (const id of mine) if (!this.drivers.has(id)) void this.take(id);
  }

  private async sweep(): Promise<void> {
    for (const id of await this.deps.store.due(100)) if (!this.drivers.has(id)) await this.take(id);
  }

  private async every(ms: number, what: string, run: () => Promise<void>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // Jitter keeps the sweeps of many workers apart.
      await this.deps.clock.sleep(ms * (0.9 + Math.random() * 0.2), this.stopping.signal);
      if (this.stopping.signal.aborted) return;
      try {
        await run();
      } catch (error) {
        this.deps.report(what, error);
      }
    }
  }
}
