import { Listeners } from '../../shared/listeners.ts';
import type { VoiceRecordingEvent } from '../../shared/voices/stored-voice.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';

export type ClipLevel = Extract<VoiceRecordingEvent, { kind: 'level' }>;

/** Levels come forty times a second: they go straight to what paints them, past the store and React. */
export interface LevelFeed<Level = TalkLevel> {
  readonly subscribe: (hear: (level: Level) => void) => () => void;
  readonly emit: (level: Level) => void;
}

export function createLevelFeed<Level>(): LevelFeed<Level> {
  const listeners = new Listeners<Level>();
  return {
    subscribe: (hear) => listeners.add(hear),
    emit: (level) => {
      listeners.emit(level);
    },
  };
}
