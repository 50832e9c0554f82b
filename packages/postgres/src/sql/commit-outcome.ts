import type { Statement } from './statement.js';

/** Why a commit changed no row, or whether one whose answer was lost stands. $1 operation. */
export const COMMIT_OUTCOME: Statement = {
  name: 'commit_outcome',
  text: 'select driver, driver_fence, last_commit::text from operations where id = $1',
};

export interface CommitOutcomeRow {
  readonly driver: string | null;
  readonly driver_fence: number;
  readonly last_commit: string | null;
}
