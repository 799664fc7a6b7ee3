import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import { createFeed } from './feed.ts';
import type { Feed } from './feed.ts';

/** Levels come forty times a second. */
export type LevelFeed = Feed<TalkLevel>;

export function createLevelFeed(): LevelFeed {
  return createFeed<TalkLevel>();
}
