import type { TalkLevel } from '../../shared/talk/talk-view.ts';

/** Levels come forty times a second: they go straight to what paints them, past the store and React. */
export interface LevelFeed {
  readonly subscribe: (hear: (level: TalkLevel) => void) => () => void;
  readonly tell: (level: TalkLevel) => void;
}

export function createLevelFeed(): LevelFeed {
  const listeners = new Set<(level: TalkLevel) => void>();
  return {
    subscribe: (hear) => {
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
      };
    },
    tell: (level) => {
      for (const hear of listeners) hear(level);
    },
  };
}
