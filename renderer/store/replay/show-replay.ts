import type { ReplayView } from '../../../shared/replay/replay-view.ts';
import type { UiState } from '../ui-state.ts';

type WithScreen = Pick<UiState, 'screen' | 'replay' | 'replayFrom'>;

/**
 * A replay that begins to open is shown at once, wherever the person is; one that is closed leads back there. Whoever
 * has gone elsewhere meanwhile stays there.
 */
export function applyReplayChanged(view: WithScreen, replay: ReplayView): Partial<WithScreen> {
  if (replay.kind === 'none') return { replay, ...screenAfter(view) };
  const begins = view.replay.kind === 'none' || replay.kind === 'opening';
  return begins ? { replay, ...shown(view) } : { replay };
}

/** As it stands for a page that comes to it: one that was away looks at what it looked at before. */
export function applyReplaySnapshot(view: WithScreen, replay: ReplayView): Partial<WithScreen> {
  return replay.kind === 'none' ? { replay, ...screenAfter(view) } : { replay };
}

function shown({ screen }: WithScreen): Partial<WithScreen> {
  if (screen === 'replay') return {};
  return { screen: 'replay', replayFrom: screen };
}

function screenAfter({ screen, replayFrom }: WithScreen): Partial<WithScreen> {
  return screen === 'replay' ? { screen: replayFrom } : {};
}
