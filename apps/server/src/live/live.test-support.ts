import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Authorize,
  type LiveReads,
  type OperationChange,
  type RunNode,
  type StageWrite,
  Watching,
} from '@capstan/engine';
import { testPlan } from '@capstan/engine/testing';
import {
  type Actor,
  ENGINE,
  EVENT_VERSION,
  evolve,
  initialState,
  isEnd,
  type OperationEvent,
  type OperationEventBody,
  type OperationState,
  type Plan,
} from '@capstan/model';
import type { Database } from '@capstan/postgres';
import type { GraphQLSchema } from 'graphql';
import { createSchema } from '../graphql/schema.js';
import { attachLive, type LiveSockets } from '../graphql/socket.js';
import type { LiveSocketParts } from '../graphql/socket-parts.js';
import { LiveHub } from './live-hub.js';
import type { LiveOptions } from './live-options.js';
import type { OperationFrame } from './operation-feed.js';

export const TOKEN = 'a-token-for-tests';
export const PERSON: Actor = { kind: 'token', id: 'start' };

interface Test {
  after(act: () => Promise<void> | void): void;
}

/** A hub over a real database that counts what it reads; each read is one statement. */
export interface CountedHub {
  readonly hub: LiveHub;
  readonly reads: Map<string, number>;
  readonly reported: string[];
  total(): number;
}

export async function openHub(
  t: Test,
  database: Database,
  more: { options?: Partial<LiveOptions>; authorize?: Authorize; live?: Partial<LiveReads> } = {},
): Promise<CountedHub> {
  const reads = new Map<string, number>();
  const reported: string[] = [];
  const counted = new Proxy(
    { ...database.live, ...more.live },
    {
      get(target, name: keyof LiveReads) {
        return (...args: unknown[]) => {
          reads.set(name, (reads.get(name) ?? 0) + 1);
          return (target[name] as (...args: unknown[]) => unknown)(...args);
        };
      },
    },
  );
  const watching = new Watching({
    live: counted,
    logs: database.logs,
    ...(more.authorize ? { authorize: more.authorize } : {}),
  });
  const hub = new LiveHub({
    live: counted,
    watching,
    watchFeed: database.watchFeed,
    report: (what, error) => void reported.push(`${what}: ${String(error)}`),
    ...(more.options ? { options: more.options } : {}),
  });
  await hub.start();
  t.after(() => hub.stop());
  return { hub, reads, reported, total: () => [...reads.values()].reduce((a, b) => a + b, 0) };
}

export interface ServedLive extends CountedHub {
  readonly url: string;
  readonly port: number;
  readonly sockets: LiveSockets;
  /** As at the end of a process that was asked to end. */
  stop(): Promise<void>;
}

let schema: Promise<GraphQLSchema> | null = null;

/** Sockets over such a hub. */
export async function serveLive(
  t: Test,
  database: Database,
  more: Parameters<typeof openHub>[2] &
    Partial<Pick<LiveSocketParts, 'limits' | 'authenticate'>> & { port?: number } = {},
): Promise<ServedLive> {
  const counted = await openHub(t, database, more);
  schema ??= createSchema();
  const server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = attachLive(server, {
    schema: await schema,
    hub: counted.hub,
    authenticate:
      more.authenticate ??
      (({ headers }) => Promise.resolve(headers.authorization === `Bearer ${TOKEN}` ? PERSON : null)),
    allowOrigin: ({ headers }) => headers.origin === undefined || headers.origin === `http://${headers.host}`,
    report: (what, error) => void counted.reported.push(`${what}: ${String(error)}`),
    isAway: (error) => error instanceof Error && error.message === 'away',
    ...(more.limits ? { limits: more.limits } : {}),
  });
  await new Promise<void>((resolve) => server.listen(more.port ?? 0, '127.0.0.1', resolve));
  let stopping: Promise<void> | null = null;
  const stop = () =>
    (stopping ??= (async () => {
      await sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    })());
  t.after(stop);
  const { port } = server.address() as AddressInfo;
  return { ...counted, sockets, stop, port, url: `ws://127.0.0.1:${port}/graphql` };
}

/** Everything of a frame that a page shows. */
export const FRAMES = `subscription Frames($id: ID!, $after: Sequence) { operationEvents(id: $id, after: $after) {
  from to at reset planRevision
  operation { id number sequence status reason { text } title { text } startedAt endedAt
    progress { phase { text } phasesDone phasesTotal addedByPatch needsAttention remaining { lowSeconds highSeconds } longerThanUsual nextPersonAt }
    blockers { kind what { text } who since } actions { verb allowed why { text } effect { text } } }
  stages { id sequence title { text } status done total }
  nodeRuns { key sequence status reason { text } attempt attemptId startedAt endedAt }
  events { sequence at type actor { kind id } nodeKey attemptId text { text } } } }`;

/** A `next` message's frame as JSON. */
export interface WireFrame {
  readonly from: number;
  readonly to: number;
  readonly reset: boolean;
  readonly operation: { readonly sequence: number; readonly status: string };
  readonly stages: readonly { readonly id: string; readonly sequence: number; readonly done: number }[];
  readonly nodeRuns: readonly {
    readonly key: string;
    readonly sequence: number;
    readonly status: string;
    readonly endedAt: string | null;
  }[];
  readonly events: readonly { readonly sequence: number }[];
}

/** What a client that follows the protocol knows. */
export class Follower {
  to: number | null = null;
  resets = 0;
  readonly nodes = new Map<string, { sequence: number; status: string; endedAt: string | null }>();
  readonly stages = new Map<string, { sequence: number; done: number }>();
  readonly events: number[] = [];
  readonly faults: string[] = [];

  take(frame: WireFrame): void {
    if (frame.reset) {
      this.resets += 1;
      this.nodes.clear();
      this.stages.clear();
      this.events.length = 0;
    } else if (frame.from !== (this.to ?? 0) + 1) {
      this.faults.push(`from ${frame.from} after ${this.to}`);
    }
    for (const row of frame.nodeRuns)
      if (row.sequence >= (this.nodes.get(row.key)?.sequence ?? -1)) this.nodes.set(row.key, row);
    for (const row of frame.stages)
      if (row.sequence >= (this.stages.get(row.id)?.sequence ?? -1)) this.stages.set(row.id, row);
    for (const { sequence } of frame.events) {
      const last = this.events.at(-1);
      if (last !== undefined && sequence !== last + 1) this.faults.push(`event ${sequence} after ${last}`);
      this.events.push(sequence);
    }
    this.to = frame.to;
  }
}

/** The same of a frame inside this process. */
export function wire(frame: OperationFrame): WireFrame {
  return {
    ...frame,
    operation: { sequence: frame.head.sequence, status: frame.head.view.operation.status },
    nodeRuns: frame.nodes,
    events: frame.events.map(({ event }) => ({ sequence: event.sequence })),
  };
}

/** An operation whose driver is the test: its events are committed in the way of the engine, and announced. */
export class DrivenOperation {
  readonly state: OperationState;
  #attempts = 0;

  private constructor(
    readonly database: Database,
    readonly id: string,
    readonly plan: Plan,
    private readonly lease: NonNullable<Awaited<ReturnType<Database['store']['lease']>>>,
    state: OperationState,
  ) {
    this.state = state;
  }

  static async start(database: Database, name: string, keys: readonly string[]): Promise<DrivenOperation> {
    const plan = testPlan(
      keys.map((key) => ({ key })),
      { environment: 'default', subject: { key: `thing/${name}`, type: 'thing', name } },
    );
    const id = database.ids.next('op');
    const state = initialState(id, plan.nodes);
    const events = evolved(state, [{ type: 'operation_planned' }]);
    const created = await database.store.create({
      id,
      planId: database.ids.next('plan'),
      plan,
      createdBy: PERSON,
      resourceId: database.ids.next('res'),
      events,
      nodes: [...state.nodes.values()],
      stages: [stageOf(state)],
      idempotency: null,
    });
    if (created.kind !== 'created') throw new Error(created.kind);
    const lease = await database.store.lease(id, 'test', 600_000);
    if (!lease) throw new Error('no lease');
    const operation = new DrivenOperation(database, id, plan, lease, state);
    await operation.commit([{ type: 'operation_started' }]);
    return operation;
  }

  get sequence(): number {
    return this.state.sequence;
  }

  /** One transition. */
  async commit(bodies: readonly OperationEventBody[], announce = true): Promise<void> {
    const expectedSequence = this.state.sequence;
    const events = evolved(this.state, bodies);
    const change: OperationChange = {
      operationId: this.id,
      expectedSequence,
      sequence: this.state.sequence,
      status: this.state.status,
      reason: this.state.reason,
      wakeInMs: null,
      events,
      nodes: [...this.state.nodes.values()].filter((node) => node.sequence > expectedSequence),
      attempts: [...this.state.attempts.values()].filter((one) => one.sequence > expectedSequence),
      stages: [stageOf(this.state)],
      evidence: [],
      facts: [],
      staleFacts: [],
      artifacts: [],
      proofs: [],
    };
    const result = await this.database.store.commit(this.lease, change);
    if (result !== 'committed') throw new Error(result);
    if (announce) this.database.feed.announce(this.id, this.state.sequence);
  }

  /** Events that say that a ready node waits, one each. */
  async chatter(key: string, count: number, perCommit = 500): Promise<void> {
    for (let done = 0; done < count; done += perCommit)
      await this.commit(
        Array.from({ length: Math.min(perCommit, count - done) }, (_, i) => ({
          type: 'node_waiting' as const,
          nodeKey: key,
          reason: (done + i) % 2 === 0 ? { code: 'capacity' as const, args: {} } : null,
        })),
      );
  }

  /** The next step of a node on its way to success; true when it is there. */
  step(key: string): { readonly bodies: readonly OperationEventBody[]; readonly done: boolean } {
    const node = this.state.nodes.get(key);
    const attemptId = node?.attemptId ?? '';
    switch (node?.status) {
      case 'ready':
        this.#attempts += 1;
        return {
          done: false,
          bodies: [
            {
              type: 'attempt_starting',
              nodeKey: key,
              attemptId: `att_${this.id.slice(3)}_${this.#attempts}`,
              number: node.attempt + 1,
              host: 'node/h1',
              runRoot: '/r',
              fence: '1.1.1',
              bundleHash: 'b',
            },
          ],
        };
      case 'running':
        return {
          done: false,
          bodies: [
            { type: 'attempt_started', nodeKey: key, attemptId, incarnation: 'i' },
            { type: 'attempt_ended', nodeKey: key, attemptId, end: { kind: 'exited', code: 0 } },
          ],
        };
      case 'verifying':
        return {
          done: false,
          bodies: [
            {
              type: 'attempt_closed',
              nodeKey: key,
              attemptId,
              status: 'succeeded',
              reason: null,
              node: 'succeeded',
            },
          ],
        };
      default:
        return { done: true, bodies: [] };
    }
  }

  /** Everything that is left. */
  async finish(): Promise<void> {
    for (const key of this.state.nodes.keys())
      for (let step = this.step(key); !step.done; step = this.step(key)) await this.commit(step.bodies);
    if (!isEnd(this.state.status)) await this.commit([{ type: 'operation_succeeded' }]);
  }
}

function evolved(state: OperationState, bodies: readonly OperationEventBody[]): OperationEvent[] {
  return bodies.map((body) => {
    const event = {
      ...body,
      sequence: state.sequence + 1,
      v: EVENT_VERSION,
      actor: ENGINE,
    } as OperationEvent;
    evolve(state, event);
    return event;
  });
}

function stageOf(state: OperationState): StageWrite {
  const done = [...state.nodes.values()].filter((node) => node.status === 'succeeded').length;
  return {
    id: 'main',
    status: done === state.nodes.size ? 'succeeded' : 'running',
    done,
    total: state.nodes.size,
    sequence: state.sequence,
  };
}

/** What a fresh read says, in the shape of a follower. */
export function truth(operation: DrivenOperation): Map<string, string> {
  return new Map([...operation.state.nodes.values()].map((node) => [node.key, node.status]));
}

export function statuses(
  nodes: Iterable<readonly [string, Pick<RunNode, 'status'> | { status: string }]>,
): Map<string, string> {
  return new Map([...nodes].map(([key, { status }]) => [key, status]));
}

export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 10_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
