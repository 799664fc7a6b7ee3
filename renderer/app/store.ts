import { Listeners } from '../../shared/listeners.ts';
import type { VoiceRecordingEvent } from '../../shared/settings/stored-voice.ts';
import { silentLevelDb } from '../../shared/talk/talk-view.ts';

/** A value that changes, and whoever wants to know. */
export interface Store<State> {
  readonly getState: () => State;
  readonly setState: (part: Partial<State>) => void;
  readonly subscribe: (changed: () => void) => () => void;
}

export function createStore<State extends object>(first: State): Store<State> {
  let state = first;
  const subscribers = new Listeners<undefined>();
  return {
    getState: () => state,
    setState: (part) => {
      state = { ...state, ...part };
      subscribers.emit(undefined);
    },
    subscribe: (changed) => subscribers.add(changed),
  };
}

export type ClipLevel = Extract<VoiceRecordingEvent, { kind: 'level' }>;

/** The loudest that a voice gets without being clipped. */
const loudestDb = -6;

/**
 * How much of its room a level takes, from 0 for silence to 1: by its decibels alone, so that two voices that sound
 * alike look alike. No number is silence.
 */
export function voiceHeight(rmsDb: number): number {
  const share = (rmsDb - silentLevelDb) / (loudestDb - silentLevelDb);
  return Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share));
}
