import { Worker } from 'node:worker_threads';
import { type Catalog, type Intent, text } from '@capstan/model';
import type { PlanOutcome, World } from '@capstan/planner';

export interface PlanningInput {
  readonly intent: Intent;
  readonly catalog: Catalog;
  readonly world: World;
}

export type PlanningCall = PlanningInput & { readonly id: number };
export type PlanningAnswer = { readonly id: number; readonly outcome: PlanOutcome };

interface Waiting {
  readonly call: PlanningCall;
  readonly resolve: (outcome: PlanOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The planner in one thread of its own, one call at a time, each under a deadline: conditions in packs are written by
 * others, and no plan may hold up leases or answers. Passing the deadline is a refusal, never a different plan.
 */
export class Planning {
  #thread: Worker | null = null;
  #current: Waiting | null = null;
  #deadline: NodeJS.Timeout | undefined;
  #nextId = 1;
  #stopped = false;
  readonly #queue: Waiting[] = [];
  readonly #deadlineMs: number;
  readonly #file: URL;

  constructor(deadlineMs: number, file = new URL('./planning-thread.js', import.meta.url)) {
    this.#deadlineMs = deadlineMs;
    this.#file = file;
  }

  /** Rejects only when the planner itself broke, or after `stop`. */
  plan(input: PlanningInput): Promise<PlanOutcome> {
    if (this.#stopped) return Promise.reject(new Error('planning has stopped'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ call: { ...input, id: this.#nextId++ }, resolve, reject });
      this.#next();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const waiting = [...this.#queue.splice(0), ...(this.#current ? [this.#current] : [])];
    this.#current = null;
    clearTimeout(this.#deadline);
    for (const one of waiting) one.reject(new Error('planning has stopped'));
    await this.#thread?.terminate();
  }

  #next(): void {
    if (this.#current) return;
    const next = this.#queue.shift();
    if (!next) return;
    this.#current = next;
    const thread = this.#thread ?? this.#start();
    this.#deadline = setTimeout(() => this.#tooLate(thread), this.#deadlineMs);
    thread.postMessage(next.call);
  }

  #start(): Worker {
    const thread = new Worker(this.#file);
    thread.unref();
    thread.on('message', (answer: PlanningAnswer) => {
      if (this.#thread !== thread || this.#current?.call.id !== answer.id) return;
      this.#finish((waiting) => waiting.resolve(answer.outcome));
    });
    thread.on('error', (error) => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      this.#finish((waiting) => waiting.reject(error));
    });
    this.#thread = thread;
    return thread;
  }

  #tooLate(thread: Worker): void {
    this.#thread = null;
    const seconds = this.#deadlineMs / 1000;
    thread.terminate().catch(() => undefined); // it is gone either way, and nobody waits for it
    this.#finish((waiting) =>
      waiting.resolve({
        kind: 'refused',
        problems: [{ code: 'planning_timeout', text: text('planning.timeout', { seconds }) }],
      }),
    );
  }

  #finish(settle: (waiting: Waiting) => void): void {
    clearTimeout(this.#deadline);
    const done = this.#current;
    this.#current = null;
    if (done) settle(done);
    this.#next();
  }
}
