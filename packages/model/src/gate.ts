import type { GateStatus } from './states.js';
import type { Text } from './text.js';

/** A stop for approval, a choice, or a risk check. Answered once; it survives restarts. */
export interface Gate {
  readonly key: string;
  readonly kind: 'approval' | 'choice' | 'risk';
  readonly status: GateStatus;
  readonly question: Text;
  readonly options: readonly { readonly id: string; readonly title: Text; readonly consequence: Text }[];
}
