import type { DialectName, DuplexMode } from '../protocol/realtime-api.ts';
import { nothingStored, type TalkStorageState } from '../recordings/talk-storage-state.ts';
import type { OpenCapture } from '../vision/vision-options.ts';
import type { TalkRequest } from '../tools/talk-request.ts';
import type { CaptionedTurn } from './caption-patch.ts';
import type { ComputerSoundState } from './computer-sound.ts';
import { emptyUserTranscript, type UserTranscript } from './user-transcript.ts';
import type { Floor, TalkControls, TalkDeviceStates, TalkLimits, TalkState } from './talk-state.ts';

/** A talk as pages show it, also to a page that opens in the middle. */
export interface TalkView {
  readonly state: TalkState;
  /** Undefined before the first talk. */
  readonly talk: TalkInfo | undefined;
  readonly controls: TalkControls;
  readonly floor: Floor;
  readonly devices: TalkDeviceStates;
  readonly limits: TalkLimits | undefined;
  readonly keeping: TalkStorageState;
  /** The capture that any window shares with the model. */
  readonly capture: OpenCapture;
  readonly computerSound: ComputerSoundState;
  /** How long the talk has been live; undefined before. */
  readonly liveMs?: number | undefined;
  /** The newest turns, oldest first. */
  readonly captions: readonly CaptionedTurn[];
  /** The user's newest transcribed phrases. */
  readonly ownWords: UserTranscript;
  /** Requests to tools, oldest first. */
  readonly requests: readonly TalkRequest[];
}

export interface TalkInfo {
  readonly mode: DuplexMode;
  /** The user's name for the server, or the demonstration's. */
  readonly endpoint: string;
  /** Defined once the server has created the session. */
  readonly session?: { readonly id: string; readonly dialect: DialectName } | undefined;
}

/** Level over 50 ms, in dBFS. */
export interface TalkLevel {
  readonly who: 'you' | 'parley';
  readonly rmsDb: number;
  /** Levels of both halves, if measured, so that the waveform shows syllables. */
  readonly halvesDb?: readonly [number, number];
  readonly peakDb: number;
}

/** Screens show no level below this; only its start is posted. */
export const silentLevelDb = -60;

export const idleTalkView: TalkView = {
  state: { phase: 'idle' },
  talk: undefined,
  controls: {
    talking: 'open',
    transmitting: false,
    passing: false,
    latched: false,
    muted: false,
    coughMuted: false,
    paused: false,
  },
  floor: 'nobody',
  devices: { microphone: { kind: 'unknown' }, speaker: { kind: 'unknown' } },
  limits: undefined,
  keeping: nothingStored,
  capture: 'nothing',
  computerSound: { kind: 'off' },
  captions: [],
  ownWords: emptyUserTranscript,
  requests: [],
};
