import type { AppError } from '../errors/app-error.ts';
import type { DialectName, DuplexMode } from '../protocol/realtime-api.ts';
import type { OpenCapture } from '../vision/vision-options.ts';
import type { AssistantTurn } from '../chat/chat-thread.ts';

/** State of a talk for pages, posted on change. */
export type TalkState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'connecting' }
  | TalkQueued
  /** `quiet`: a server that answered regularly has been silent for seconds. */
  | { readonly phase: 'live'; readonly quiet?: true }
  | TalkReconnecting
  | { readonly phase: 'ending' }
  | TalkEnded;

/** Whether no talk is running. */
export function isTalkOver(phase: TalkState['phase']): boolean {
  return phase === 'idle' || phase === 'ended';
}

export interface TalkQueued {
  readonly phase: 'queued';
  readonly position: number | undefined;
  readonly length: number | undefined;
  /** The server's last estimate; pages count down between updates. */
  readonly etaSeconds: number | undefined;
}

export interface TalkReconnecting {
  readonly phase: 'reconnecting';
  /** Number of the attempt, from 1, since the talk was last live. */
  readonly attempt: number;
  /** Delay of the attempt, 0 while it runs; pages count down between updates. */
  readonly inMs: number;
  readonly error: AppError;
}

export interface TalkEnded {
  readonly phase: 'ended';
  readonly ending: TalkEnding;
  readonly offer: TalkOffer;
}

export interface TalkEnding {
  /** Reason of the end, also for a normal one. */
  readonly error: AppError;
  readonly by: 'client' | 'server' | 'network';
  /** Whether the user ended the talk or it reached a documented limit. */
  readonly orderly: boolean;
}

/**
 * Offered after a talk: a new session with the transcript, the same attempt again, or a check of the server's address
 * or token.
 */
export type TalkOffer = 'continue' | 'retry' | 'checkEndpoint' | 'checkToken' | 'none';

/**
 * `open` needs no key; `hold` transmits while the key is down; `tap` from one press to the next; `holdOrTap` as `hold`,
 * but a short press latches.
 */
export type PushToTalkMode = 'open' | 'hold' | 'tap' | 'holdOrTap';

export interface TalkControls {
  readonly talking: PushToTalkMode;
  /** The transmit gate is open. */
  readonly transmitting: boolean;
  /**
   * The newest block of the microphone passed the gate and reaches a server. Only then Parley shows the microphone as
   * open, and plays the key's sound.
   */
  readonly passing: boolean;
  /** A tap latched the key until the next one. */
  readonly latched: boolean;
  readonly muted: boolean;
  readonly coughMuted: boolean;
  readonly paused: boolean;
}

export type Floor = 'nobody' | 'you' | 'parley' | 'both';

export type DeviceRole = 'microphone' | 'speaker';

export type DeviceState =
  /** No device is open, or its state is unknown. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'using'; readonly device: string }
  | { readonly kind: 'standsIn'; readonly device: string; readonly missing: string }
  /** Silence is captured, or playback waits; `error` tells the user what to do. */
  | { readonly kind: 'lost'; readonly error: AppError };

export type TalkDeviceStates = Readonly<Record<DeviceRole, DeviceState>>;

/** Remaining limits of a session; pages count `seconds` down between updates. */
export interface TalkLimits {
  /** Seconds left; undefined before admission, in chat, and without a known limit. */
  readonly seconds: number | undefined;
  readonly tokens: number | undefined;
  /** How long the tokens last at the present rate. */
  readonly tokenSeconds: number | undefined;
  /** The server prunes its context, which therefore never ends the session. */
  readonly pruning: boolean;
}

export interface TalkWarning {
  readonly limit: 'time' | 'context';
  readonly threshold: 60 | 15;
  readonly secondsLeft: number;
}

/**
 * Whether a listen silences a sounding answer. `auto` spares finished turns; `always` follows the document of the
 * legacy API; `never` leaves it to the user.
 */
export type YieldPolicy = 'auto' | 'always' | 'never';

/** Changes of a turn's caption; omitted fields stay unchanged. */
export interface CaptionPatch {
  readonly turn: number;
  readonly added?: string;
  /** Characters heard so far. */
  readonly heard?: number;
  /** The text from this character on was cut and will not be heard. */
  readonly cutFrom?: number;
  /** The first turn of another session. */
  readonly startsSession?: true;
  /** The model heard the computer's sound when it began the turn. */
  readonly hearsComputer?: true;
  /** The turn is final. */
  readonly settled?: true;
}

/** A caption: heard up to `heard`, cut from `cutFrom` on, and pending in between. */
export interface CaptionedTurn {
  readonly turn: number;
  readonly text: string;
  readonly heard: number;
  readonly cutFrom: number | undefined;
  readonly settled: boolean;
  /** The first turn of another session. */
  readonly startsSession?: true | undefined;
  readonly hearsComputer?: true | undefined;
}

/** The patch that shows a whole turn, for a talk of an earlier run of Parley. */
export function captionAsPatch({ turn, text, heard, cutFrom }: CaptionedTurn): CaptionPatch {
  return { turn, added: text, heard, ...(cutFrom !== undefined && { cutFrom }), settled: true };
}

export function patchCaption(
  before: CaptionedTurn | undefined,
  patch: CaptionPatch,
): CaptionedTurn {
  return {
    turn: patch.turn,
    text: (before?.text ?? '') + (patch.added ?? ''),
    heard: patch.heard ?? before?.heard ?? 0,
    cutFrom: patch.cutFrom ?? before?.cutFrom,
    startsSession: patch.startsSession ?? before?.startsSession,
    hearsComputer: patch.hearsComputer ?? before?.hearsComputer,
    settled: patch.settled ?? before?.settled ?? false,
  };
}

/** A phrase of the user, with its text once it was transcribed. */
export interface UserPhrase {
  /** Milliseconds since the talk began; unique. */
  readonly at: number;
  readonly seconds: number;
  /** Number of Parley's newest turn when the phrase began. */
  readonly after: number | undefined;
  readonly state: UserPhraseState;
  /** Empty after transcription if no words were understood. */
  readonly text: string;
  readonly transcribed: 'byMachine' | 'corrected';
  /** The model heard the computer's sound when the phrase began. */
  readonly hearsComputer?: true | undefined;
}

/** `removed`: the user deleted the phrase. */
export type UserPhraseState = 'waiting' | 'writing' | 'written' | 'unwritten' | 'removed';

export interface UserTranscriptStatus {
  readonly kind: 'off' | 'idle' | 'writing' | 'afterTalk' | 'busy' | 'queued' | 'failed';
  readonly position?: number | undefined;
  /** Why transcription stopped. The phrases that it gave up can be retried. */
  readonly error?: AppError | undefined;
  /** The server is the demonstration, which knows only its own sentences. */
  readonly demonstration: boolean;
}

export interface UserTranscript {
  readonly status: UserTranscriptStatus;
  /** In spoken order. */
  readonly phrases: readonly UserPhrase[];
}

export const emptyUserTranscript: UserTranscript = {
  status: { kind: 'off', demonstration: false },
  phrases: [],
};

export function withPhrase(
  phrases: readonly UserPhrase[],
  phrase: UserPhrase,
): readonly UserPhrase[] {
  const others = phrases.filter(({ at }) => at !== phrase.at);
  if (phrase.state === 'removed') return others;
  const place = others.findLastIndex(({ at }) => at < phrase.at) + 1;
  return [...others.slice(0, place), phrase, ...others.slice(place)];
}

/** A time in which the user spoke; the words are unknown. */
export interface SpokenTurn {
  /** Milliseconds of the clock of the page, or of the core if the page opened later. */
  readonly at: number;
  readonly seconds: number;
  /** Number of Parley's newest turn when the user began to speak. */
  readonly after: number | undefined;
}

export interface SpokenTurns {
  readonly turns: readonly SpokenTurn[];
  readonly speaking: Pick<SpokenTurn, 'at' | 'after'> | undefined;
}

export const noSpokenTurns: SpokenTurns = { turns: [], speaking: undefined };

/** Shorter sounds are coughs or knocks. */
const minSpokenSeconds = 1;
/** A bound for memory; a long talk has fewer. */
const maxSpokenTurns = 500;

/** Begins or ends a turn when the floor changes; drops turns too short for a mark. */
export function updateSpokenTurns(
  spoken: SpokenTurns,
  floor: Floor,
  newest: number | undefined,
  now: number,
): SpokenTurns {
  const { turns, speaking } = spoken;
  const speaks = floor === 'you' || floor === 'both';
  if (speaks === (speaking !== undefined)) return spoken;
  if (speaking === undefined) return { turns, speaking: { at: now, after: newest } };
  const seconds = (now - speaking.at) / 1000;
  const last = turns.at(-1);
  // Parley said nothing since the last turn, so this sound continues it.
  if (last !== undefined && last.after === speaking.after) {
    const extended = { ...last, seconds: last.seconds + seconds };
    return { turns: [...turns.slice(0, -1), extended], speaking: undefined };
  }
  if (seconds < minSpokenSeconds) return { turns, speaking: undefined };
  return {
    turns: [...turns, { ...speaking, seconds }].slice(-maxSpokenTurns),
    speaking: undefined,
  };
}

/** A talk as pages show it, also to a page that opens during the talk. */
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
  /** When the user spoke; undefined in a replay. */
  readonly spoken?: readonly SpokenTurn[] | undefined;
  /** The newest turns, oldest first. */
  readonly captions: readonly CaptionedTurn[];
  /** The user's newest phrases, also those that still wait for transcription. */
  readonly userTranscript: UserTranscript;
  /** Tasks for tools, oldest first. */
  readonly tasks: readonly ToolTask[];
}

export interface TalkInfo {
  readonly mode: DuplexMode;
  /** The name of the server. In a replay it is the server's address. */
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

/** In dBFS. Screens show no level below this. During silence the core posts only the first half second. */
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
  userTranscript: emptyUserTranscript,
  tasks: [],
};

/** Something that the user asks for in a talk and that tools do. Pages show it as an entry of the talk. */
export interface ToolTask {
  readonly id: string;
  /** Number of Parley's newest turn when the user asked. */
  readonly after: number | undefined;
  /** Empty while the user's words are being written down, and if the talk's model asked. */
  readonly words: string;
  /** `withdrawn`: the words are not known, so there is no entry. */
  readonly state: 'writing' | 'answering' | 'done' | 'stopped' | 'failed' | 'withdrawn';
  /** The answer of the chat beside the talk, with the calls of tools. */
  readonly answer?: AssistantTurn | undefined;
  /** Whether the talk's model knows the result. `later`: from the next session on. */
  readonly voice: 'no' | 'later' | 'knows';
  readonly error?: AppError | undefined;
}

/** The oldest tasks are dropped, because a page that opens during a talk gets the whole list. */
const maxTasks = 20;

export function withTask(tasks: readonly ToolTask[], task: ToolTask): readonly ToolTask[] {
  if (task.state === 'withdrawn') return tasks.filter(({ id }) => id !== task.id);
  const index = tasks.findIndex(({ id }) => id === task.id);
  return index === -1 ? [...tasks, task].slice(-maxTasks) : tasks.with(index, task);
}

/** The result of a task, for the talk's next session. */
export interface ToolResult {
  readonly id: string;
  /** The task in the user's words. */
  readonly asked: string;
  /** The tools that were called, and what they returned. Other programs may have written that. */
  readonly calls: readonly {
    readonly tool: string;
    readonly server: string;
    readonly response: string;
  }[];
  /** The answer of the chat that called the tools. */
  readonly answer: string;
}

/** Whether the model hears what the computer plays. */
export type ComputerSoundState =
  /** This system has no way to capture what the computer plays, so Parley does not offer it. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'off' | 'opening' | 'on' }
  /** The user turned the capture on, but it failed; Parley keeps trying. */
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
  /** There is no talk, the settings do not store its text, it has none, or it ended and cannot be written at the moment. */
  | { readonly kind: 'notStored' }
  /** Text, tape and pictures are not stored. */
  | { readonly kind: 'incognito' }
  /** In memory until the talk ends; then Parley asks the user whether to store it. */
  | { readonly kind: 'inMemory' }
  /** The talk has ended, and Parley asks the user whether to store it. */
  | { readonly kind: 'asked' }
  /** Stored from its first words; the id is the one in the history. */
  | { readonly kind: 'stored'; readonly id: string };
