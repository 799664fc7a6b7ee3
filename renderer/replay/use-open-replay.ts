import type { OpenReplay } from '../../shared/replay/replay-view.ts';
import type { UiState } from '../store/ui-state.ts';
import { useUiState } from '../store/use-app-context.ts';

export function openReplayOf({ replay }: Pick<UiState, 'replay'>): OpenReplay | undefined {
  return replay.kind === 'open' ? replay : undefined;
}

/** One part of the replay; nothing in the moment in which it is closed. Pick what stays the same value. */
export function useOpenReplay<Part>(select: (open: OpenReplay) => Part): Part | undefined {
  return useUiState(({ replay }) => (replay.kind === 'open' ? select(replay) : undefined));
}
