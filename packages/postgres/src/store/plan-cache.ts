import type { StoredPlan } from '@capstan/engine';

/** Nodes of all kept plans together: about 40 MB. */
const MAX_NODES = 10_000;

/** Plans that were read lately. A stored plan never changes; what is used again stays, by number of nodes. */
export class PlanCache {
  readonly #plans = new Map<string, StoredPlan>();
  #nodes = 0;

  take(ids: readonly string[]): Map<string, StoredPlan> {
    const found = new Map<string, StoredPlan>();
    for (const id of ids) {
      const stored = this.#plans.get(id);
      if (!stored) continue;
      found.set(id, stored);
      this.#plans.delete(id);
      this.#plans.set(id, stored);
    }
    return found;
  }

  keep(stored: StoredPlan): void {
    if (this.#plans.has(stored.id)) return;
    this.#plans.set(stored.id, stored);
    this.#nodes += stored.plan.nodes.length;
    for (const [id, { plan }] of this.#plans) {
      if (this.#nodes <= MAX_NODES || id === stored.id) break;
      this.#plans.delete(id);
      this.#nodes -= plan.nodes.length;
    }
  }
}
