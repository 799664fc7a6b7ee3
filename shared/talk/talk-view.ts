import type { DialectName, DuplexMode } from '../protocol/realtime-api.ts';
import { nothingKept, type TalkKeeping } from '../recordings/talk-keeping.ts';
import type { OpenCapture } from '../vision/vision-options.ts';
import type { CaptionedTurn } from './caption-patch.ts';
import { noOwnWords, type OwnWords } from './own-words.ts';
import type { Floor, TalkControls, TalkDeviceStates, TalkLimits, TalkState } from './talk-state.ts';

/** All of a talk that a page shows, for one that comes in the middle of it. */
export interface TalkView {
  readonly state: TalkState;
  /** What is talked with; nothing before the first talk. */
  readonly talk: TalkInfo | undefined;
  readonly controls: TalkControls;
  readonly floor: Floor;
  readonly devices: TalkDeviceStates;
  readonly limits: TalkLimits | undefined;
  readonly keeping: TalkKeeping;
  /** What is shown to the model, from whichever window. */
  readonly capture: OpenCapture;
  /** How long it has been live by now; nothing before it is. */
  readonly liveMs?: number | undefined;
  /** The newest turns, oldest first. */
  readonly captions: readonly CaptionedTurn[];
  /** What the person said, as far as somebody writes it down; the newest. */
  readonly ownWords: OwnWords;
}

export interface TalkInfo {
  readonly mode: DuplexMode;
  /** The name that the person gave the server, or that of the demonstration. */
  readonly endpoint: string;
  /** Known once the server has taken the session. */
  readonly session?: { readonly id: string; readonly dialect: DialectName } | undefined;
}

/** How loud it was for a twentieth of a second, in dBFS. */
export interface TalkLevel {
  readonly who: 'you' | 'parley';
  readonly rmsDb: number;
  /** The same of its first and its second half, where that was measured: the waveform shows syllables by it. */
  readonly halvesDb?: readonly [number, number];
  readonly peakDb: number;
}

/** No screen shows what is below it; of that only the beginning is told. */
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
  keeping: nothingKept,
  capture: 'nothing',
  captions: [],
  ownWords: noOwnWords,
};
