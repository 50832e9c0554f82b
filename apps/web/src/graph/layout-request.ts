import type { LayoutInput } from './graph-model';
import type { GraphLayout } from './stage-lanes';

/** What the page sends to the layout worker and what it gets back. */
export interface LayoutRequest {
  readonly id: number;
  readonly graph: LayoutInput;
}

export interface LayoutAnswer {
  readonly id: number;
  readonly layout: GraphLayout;
}
