import type { ReplayStop } from '../../../shared/replay/replay-view.ts';
import type { PlaceName } from '../ui-state.ts';

/** What the page itself knows of a replay. */
export interface ReplayUiState {
  /** Where the person was when it was opened, and is again when it is closed. */
  readonly openedFrom: PlaceName;
  /** What a step goes to. */
  readonly stop: ReplayStop;
}

export const initialReplayUiState: ReplayUiState = { openedFrom: 'talk', stop: 'any' };
