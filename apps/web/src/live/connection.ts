import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  CLOSE_UNAUTHENTICATED,
  type LoopState,
  type Stream,
  type StreamEnd,
  streamLoop,
} from './stream-loop';

/** What the chip says [UX-R6]. `done`: what is watched is over, and everything of it is here. */
export type ConnectionKind =
  | 'connecting'
  | 'live'
  | 'reconnecting'
  | 'polling'
  | 'offline'
  | 'signed_out'
  | 'done';

export interface ConnectionState {
  readonly kind: ConnectionKind;
  /** The server let no socket in from this address, or something between closed it: a sentence must say so. */
  readonly socketRefused: boolean;
  /** When data last came, on this machine's clock. */
  readonly receivedAt: number | null;
  /** Add it to this machine's clock for the server's: elapsed times are the server's [UX-X6]. */
  readonly serverOffsetMs: number;
}

/** How asking over plain HTTP went. */
export type PollResult = 'taken' | 'unreachable' | 'signed_out' | 'refused';

export interface ConnectionOptions {
  readonly open: (take: Taker, ended: (end: StreamEnd) => void) => Stream;
  readonly over: () => boolean;
  /** Asks once over HTTP while the socket does not come. */
  readonly poll: (take: Taker) => Promise<PollResult>;
  readonly now?: () => number;
  readonly pollMs?: number;
  readonly backoff?: (attempt: number) => number;
}

/** Told of every arrival, with the server's time. */
export type Taker = (serverTime: string) => void;

export interface Connection extends Stream {
  readonly state: StoreApi<ConnectionState>;
  /** Tries at once: the network came back, or the page is looked at again. */
  wake(): void;
}

const CONNECTING: ConnectionState = {
  kind: 'connecting',
  socketRefused: false,
  receivedAt: null,
  serverOffsetMs: 0,
};

/** What is shown before there is a connection to ask. */
export const NOT_CONNECTED: StoreApi<ConnectionState> = createStore<ConnectionState>()(() => CONNECTING);

/** A second lost try means more than a blink: then HTTP is asked, which also tells what is wrong. */
const POLL_FROM_ATTEMPT = 2;

/** Follows over the socket; while that does not come, asks over HTTP, so that the page is late but not wrong. */
export function connect(options: ConnectionOptions): Connection {
  const { now = Date.now, pollMs = 5_000 } = options;
  const state = createStore<ConnectionState>()(() => CONNECTING);
  let polling: ReturnType<typeof setTimeout> | null = null;
  let socketOpen = false;
  let stopped = false;

  const arrived: Taker = (serverTime) => {
    const at = Date.parse(serverTime);
    state.setState({ receivedAt: now(), ...(Number.isNaN(at) ? {} : { serverOffsetMs: at - now() }) });
  };
  const endPolling = () => {
    if (polling !== null) clearTimeout(polling);
    polling = null;
  };
  const pollOnce = async () => {
    const result = await options.poll(arrived);
    if (stopped || socketOpen) return;
    state.setState(afterPoll(result));
    if (result === 'signed_out') return;
    polling = setTimeout(pollOnce, pollMs);
  };
  const onLoop = (loopState: LoopState) => {
    socketOpen = loopState.kind === 'open';
    if (loopState.kind === 'open') {
      endPolling();
      state.setState({ kind: 'live', socketRefused: false });
    } else if (loopState.kind === 'done') {
      endPolling();
      state.setState({ kind: 'done' });
    } else if (isSignedOut(loopState)) {
      state.setState({ kind: 'signed_out' });
    } else if (loopState.kind === 'stopped' || loopState.attempt >= POLL_FROM_ATTEMPT) {
      if (polling === null) polling = setTimeout(pollOnce, 0);
    } else {
      state.setState({ kind: 'reconnecting' });
    }
  };

  const loop = streamLoop({
    over: options.over,
    onState: onLoop,
    ...(options.backoff === undefined ? {} : { backoff: options.backoff }),
    open: (ended) =>
      options.open((serverTime) => {
        if (!socketOpen) loop.opened();
        arrived(serverTime);
      }, ended),
  });
  return {
    state,
    wake: () => loop.wake(),
    stop() {
      stopped = true;
      endPolling();
      loop.stop();
    },
  };
}

function afterPoll(result: PollResult): Partial<ConnectionState> {
  switch (result) {
    case 'taken':
      // HTTP answers and the socket does not: something lets one through and not the other.
      return { kind: 'polling', socketRefused: true };
    case 'refused':
      return { kind: 'offline', socketRefused: true };
    case 'unreachable':
      return { kind: 'offline', socketRefused: false };
    case 'signed_out':
      return { kind: 'signed_out' };
  }
}

function isSignedOut(loopState: LoopState): boolean {
  if (loopState.kind !== 'stopped' && loopState.kind !== 'retrying') return false;
  const { end } = loopState;
  return (
    (end.kind === 'lost' && end.code === CLOSE_UNAUTHENTICATED) ||
    (end.kind === 'refused' && end.code === 'UNAUTHENTICATED')
  );
}
