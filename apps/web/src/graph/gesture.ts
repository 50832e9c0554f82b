import type { Viewport } from './viewport';

/** What a reader did on the canvas or in the list, as a value: the canvas changes nothing itself [UX-E26]. */
export type Gesture =
  | { readonly kind: 'select'; readonly key: string | null }
  /** Enter, or a double click: to the details of what is selected. */
  | { readonly kind: 'open'; readonly key: string }
  | { readonly kind: 'toggle_stack'; readonly key: string }
  | { readonly kind: 'move'; readonly viewport: Viewport };
