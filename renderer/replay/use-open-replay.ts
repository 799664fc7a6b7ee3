import type { OpenReplay } from '../../shared/recordings/replay-view.ts';
import type { UiState } from '../app/ui-state.ts';
import { useUiState } from '../app/use-app-context.ts';

export function openReplayOf({ replay }: Pick<UiState, 'replay'>): OpenReplay | undefined {
  return replay.kind === 'open' ? replay : undefined;
}

/** One part of the replay; nothing in the moment in which it is closed. Pick what stays the same value. */
export function useOpenReplay<Part>(select: (open: OpenReplay) => Part): Part | undefined {
  return useUiState(({ replay }) => (replay.kind === 'open' ? select(replay) : undefined));
}

/** A cursor at the end stands within this of it: sound comes in blocks. */
const edgeMs = 60;

export function isAtEnd({ play, timeline }: Pick<OpenReplay, 'play' | 'timeline'>): boolean {
  return timeline.lengthMs > 0 && play.at >= timeline.lengthMs - edgeMs;
}
