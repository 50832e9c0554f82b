import type { NodeStatus, OperationStatus } from '@capstan/model';

/** Shapes that can be told apart without colour [UX-R1]. */
export type Glyph =
  | 'ring'
  | 'dots'
  | 'half'
  | 'eye'
  | 'check'
  | 'cross'
  | 'warning'
  | 'question'
  | 'slash'
  | 'skip'
  | 'pause';

/** A colour by meaning; its light and dark values are in `tones.module.css`. */
export type Tone = 'idle' | 'next' | 'active' | 'checking' | 'good' | 'bad' | 'doubt' | 'lost';

export interface Look {
  readonly glyph: Glyph;
  readonly tone: Tone;
}

export const NODE_LOOKS: Readonly<Record<NodeStatus, Look>> = {
  pending: { glyph: 'ring', tone: 'idle' },
  ready: { glyph: 'dots', tone: 'next' },
  running: { glyph: 'half', tone: 'active' },
  verifying: { glyph: 'eye', tone: 'checking' },
  succeeded: { glyph: 'check', tone: 'good' },
  failed: { glyph: 'cross', tone: 'bad' },
  // Exit 0 without evidence is no success, so it never looks like one [UX-R3].
  unproven: { glyph: 'warning', tone: 'doubt' },
  unknown: { glyph: 'question', tone: 'lost' },
  cancelled: { glyph: 'slash', tone: 'idle' },
  skipped: { glyph: 'skip', tone: 'idle' },
  superseded: { glyph: 'skip', tone: 'idle' },
};

export const OPERATION_LOOKS: Readonly<Record<OperationStatus, Look>> = {
  planned: { glyph: 'ring', tone: 'idle' },
  waiting: { glyph: 'dots', tone: 'next' },
  running: { glyph: 'half', tone: 'active' },
  needs_attention: { glyph: 'warning', tone: 'doubt' },
  paused: { glyph: 'pause', tone: 'next' },
  cancelling: { glyph: 'slash', tone: 'doubt' },
  succeeded: { glyph: 'check', tone: 'good' },
  succeeded_with_waivers: { glyph: 'check', tone: 'doubt' },
  failed: { glyph: 'cross', tone: 'bad' },
  cancelled: { glyph: 'slash', tone: 'idle' },
};

export const STAGE_LOOKS = {
  pending: { glyph: 'ring', tone: 'idle' },
  running: { glyph: 'half', tone: 'active' },
  needs_attention: { glyph: 'warning', tone: 'doubt' },
  succeeded: { glyph: 'check', tone: 'good' },
  cancelled: { glyph: 'slash', tone: 'idle' },
} as const satisfies Record<string, Look>;

const UNKNOWN: Look = { glyph: 'question', tone: 'idle' };

/** The look of a status; enums are open, so one that this version does not know is drawn as a question. */
export function lookOf(looks: Readonly<Record<string, Look>>, status: string): Look {
  return looks[status] ?? UNKNOWN;
}
