import type { TalkState } from '../../../shared/talk/talk-state.ts';
import type { UiState } from '../ui-state.ts';

const idle: TalkState = { phase: 'idle' };

/** Where the talk stands for the Talk screen: before one, too, where the last one was put away. */
export function stageState({
  talkState: { value },
  endedPutAway,
}: Pick<UiState, 'talkState' | 'endedPutAway'>): TalkState {
  return value.phase === 'ended' && endedPutAway ? idle : value;
}
