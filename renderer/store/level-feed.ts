import type { VoiceRecordingEvent } from '../../shared/voices/stored-voice.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';

export type ClipLevel = Extract<VoiceRecordingEvent, { kind: 'level' }>;

/** Levels come forty times a second: they go straight to what paints them, past the store and React. */
export interface LevelFeed<Level = TalkLevel> {
  readonly subscribe: (hear: (level: Level) => void) => () => void;
  readonly emit: (level: Level) => void;
}

export function createLevelFeed<Level>(): LevelFeed<Level> {
  const listeners = new Set<(level: Level) => void>();
  return {
    subscribe: (hear) => {
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
      };
    },
    emit: (level) => {
      for (const hear of listeners) hear(level);
    },
  };
}
