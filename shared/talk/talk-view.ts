import type { DialectName, DuplexMode } from '../protocol/realtime-api.ts';
import type { OpenCapture } from '../vision/vision-options.ts';
import { emptyUserTranscript, type CaptionedTurn, type UserTranscript } from './captions.ts';
import type { Floor, TalkControls, TalkDeviceStates, TalkLimits, TalkState } from './talk-state.ts';
import type { AssistantTurn } from '../chat/chat-thread.ts';
import type { AppError } from '../errors/app-error.ts';

/** A talk as pages show it, also to a page that opens in the middle. */
export interface TalkView {
  readonly state: TalkState;
  /** Undefined before the first talk. */
  readonly talk: TalkInfo | undefined;
  readonly controls: TalkControls;
  readonly floor: Floor;
  readonly devices: TalkDeviceStates;
  readonly limits: TalkLimits | undefined;
  readonly storage: TalkStorageState;
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

/** Screens show no level below this. During silence the core posts only the first half second. */
export const silentLevelDb = -60;

const nothingStored: TalkStorageState = { incognito: false, talk: { kind: 'notStored' } };

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
  storage: nothingStored,
  capture: 'nothing',
  computerSound: { kind: 'off' },
  captions: [],
  ownWords: emptyUserTranscript,
  requests: [],
};

/** Something that the user asks for in a talk and that tools do. Pages show it as an entry of the talk. */
export interface TalkRequest {
  readonly id: string;
  /** Index of Parley's newest turn when the user asked. */
  readonly after: number | undefined;
  /** Empty while the user's words are being written down, and if the talk's model asked. */
  readonly words: string;
  /** `withdrawn`: the words are not known, so there is no entry. */
  readonly state: 'writing' | 'answering' | 'done' | 'stopped' | 'failed' | 'withdrawn';
  /** The answer of the chat beside the talk, with the calls of tools. */
  readonly answer?: AssistantTurn | undefined;
  /** Whether the voice knows the result: from the next session on, or already. */
  readonly voice: 'no' | 'later' | 'knows';
  readonly error?: AppError | undefined;
}

/** Older requests are dropped, because a page that opens late gets the whole list. */
const maxRequests = 20;

export function withRequest(
  requests: readonly TalkRequest[],
  request: TalkRequest,
): readonly TalkRequest[] {
  if (request.state === 'withdrawn') return requests.filter(({ id }) => id !== request.id);
  const index = requests.findIndex(({ id }) => id === request.id);
  return index === -1 ? [...requests, request].slice(-maxRequests) : requests.with(index, request);
}

/** The result of a request, for the talk's next session. */
export interface ToolResult {
  readonly id: string;
  /** The request in the user's words. */
  readonly asked: string;
  /** The tools that were called, and what they returned. Other programs wrote that. */
  readonly calls: readonly {
    readonly tool: string;
    readonly server: string;
    readonly response: string;
  }[];
  /** The answer of the chat that called them. */
  readonly answer: string;
}

/** Whether the model hears what the computer plays. */
export type ComputerSoundState =
  /** This system has no way to capture it, so nothing offers it. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'off' | 'opening' | 'on' }
  /** The user turned it on, but capture failed; Parley keeps trying. */
  | { readonly kind: 'lost'; readonly error: AppError };

/** Whether the text of a talk and its last two minutes of sound are stored. */
export interface TalkStorageState {
  /** The Incognito switch: Parley stores no data of the next talk. */
  readonly incognito: boolean;
  readonly talk: TalkTextState;
  /** Buffer of the last two minutes; missing if it is off. */
  readonly recent?: RecentBufferState | undefined;
}

export type RecentBufferState =
  /** In memory only. */
  | { readonly kind: 'inMemory' }
  /** Saved as a tape; it can be saved again. */
  | { readonly kind: 'stored'; readonly path: string; readonly seconds: number };

export type TalkTextState =
  /** There is no talk, the settings do not store its text, or it has none. */
  | { readonly kind: 'notStored' }
  /** Text, tape and pictures are not stored. */
  | { readonly kind: 'incognito' }
  /** In memory until the talk ends; then Parley asks the user whether to store it. */
  | { readonly kind: 'inMemory' }
  /** The talk has ended, and Parley asks the user whether to store it. */
  | { readonly kind: 'asked' }
  /** Stored from its first words; the id is the one in the history. */
  | { readonly kind: 'stored'; readonly id: string };
