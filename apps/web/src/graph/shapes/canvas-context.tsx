'use client';

import { createContext } from 'react';
import { type Decorations, NO_DECORATIONS } from '../decoration';
import type { Gesture } from '../gesture';

/** What every shape needs and what never changes while one canvas stands, so that no shape is drawn again for it. */
export interface CanvasContext {
  readonly onGesture: (gesture: Gesture) => void;
  readonly decorations: Decorations;
  /** Zoomed out: boxes show their status and nothing to read. */
  readonly lowDetail: boolean;
}

export const CanvasContext = createContext<CanvasContext>({
  onGesture: () => {},
  decorations: NO_DECORATIONS,
  lowDetail: false,
});
