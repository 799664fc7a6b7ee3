import { sceneAfter } from '../../../shared/replay/replay-scene.ts';
import type { FilmTimeline } from '../../../shared/replay/film-timeline.ts';
import type { ReplayScene } from '../../../shared/replay/replay-scene.ts';
import type { OpenReplay, ReplayPlay, ReplayView } from '../../../shared/replay/replay-view.ts';
import type { ReplayedNotice } from '../../../shared/replay/replayed-notice.ts';

interface WithReplay {
  readonly replay: ReplayView;
}

/** What is told of a replay that is not open any more changes nothing. */
function withOpen(
  { replay }: WithReplay,
  change: (open: OpenReplay) => Partial<OpenReplay>,
): Partial<WithReplay> {
  return replay.kind === 'open' ? { replay: { ...replay, ...change(replay) } } : {};
}

export function applyReplayTimeline(view: WithReplay, timeline: FilmTimeline): Partial<WithReplay> {
  return withOpen(view, () => ({ timeline }));
}

export function applyReplayPlay(view: WithReplay, play: ReplayPlay): Partial<WithReplay> {
  return withOpen(view, () => ({ play }));
}

export function applyReplayScene(view: WithReplay, scene: ReplayScene): Partial<WithReplay> {
  return withOpen(view, () => ({ scene }));
}

/** What the page got in the talk, by the very fold that a jump is made with. */
export function applyReplayed(
  view: WithReplay,
  notices: readonly ReplayedNotice[],
): Partial<WithReplay> {
  return withOpen(view, ({ scene }) => ({ scene: notices.reduce(sceneAfter, scene) }));
}
