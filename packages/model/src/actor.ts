/** Who did something; on every event and decision. */
export interface Actor {
  readonly kind: 'human' | 'token' | 'service' | 'pack' | 'analyzer';
  readonly id: string;
}

/** The engine acting by itself. */
export const ENGINE: Actor = { kind: 'service', id: 'engine' };
