import type { OpenReplay } from '../../shared/replay/replay-view.ts';

/** A cursor at the end stands within this of it: sound comes in blocks. */
const edgeMs = 60;

export function isAtEnd({ play, timeline }: Pick<OpenReplay, 'play' | 'timeline'>): boolean {
  return timeline.lengthMs > 0 && play.at >= timeline.lengthMs - edgeMs;
}
