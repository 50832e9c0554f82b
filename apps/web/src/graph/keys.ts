import type { Step } from './walk';

/** What a key means on the canvas. */
export type CanvasCommand =
  | { readonly kind: 'walk'; readonly step: Step }
  | { readonly kind: 'open' }
  | { readonly kind: 'back' }
  | { readonly kind: 'zoom'; readonly to: 'in' | 'out' | 'one' | 'fit' };

const COMMANDS: Readonly<Record<string, CanvasCommand>> = {
  ArrowLeft: { kind: 'walk', step: 'left' },
  ArrowRight: { kind: 'walk', step: 'right' },
  ArrowUp: { kind: 'walk', step: 'up' },
  ArrowDown: { kind: 'walk', step: 'down' },
  Home: { kind: 'walk', step: 'first' },
  End: { kind: 'walk', step: 'last' },
  Enter: { kind: 'open' },
  Escape: { kind: 'back' },
  '+': { kind: 'zoom', to: 'in' },
  '=': { kind: 'zoom', to: 'in' },
  '-': { kind: 'zoom', to: 'out' },
  '0': { kind: 'zoom', to: 'one' },
  '1': { kind: 'zoom', to: 'fit' },
};

/** The command of a key press [UX-E20] [UX-E23]; null for keys that belong to the browser or to a field. */
export function canvasKey(event: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}): CanvasCommand | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  return COMMANDS[event.key] ?? null;
}
