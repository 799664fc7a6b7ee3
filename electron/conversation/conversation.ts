import type { DuplexMode } from '../../shared/protocol/names.ts';
import type { OverlapOptions } from '../../shared/sound/overlap-options.ts';
import type { TalkingMode } from '../../shared/talk/talk-controls.ts';
import type { DeviceUse } from '../../shared/talk/talk-devices.ts';
import type { PlayoutFigures } from '../audio/adaptive-playback.ts';
import type { SoundNews } from '../audio/keep-stream.ts';
import type { LearnedPace } from '../audio/learned-pace.ts';
import type { MeasuresSummary } from '../../shared/talk/talk-measures.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Cue } from '../session/caption-cue.ts';
import type { SessionEvent } from '../session/session-event.ts';
import type { Session, SessionOptions } from '../session/session.ts';
import type { AnswerSpeaker } from './answer-playback.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { KeyUp } from './talk-key.ts';

export interface ConversationOptions extends Omit<SessionOptions, 'mode' | 'rememberedDialect'> {
  readonly mode: DuplexMode;
  readonly talking: TalkingMode;
  /** It begins muted. */
  readonly muted?: boolean | undefined;
  /** What becomes of a short sound over the answer; `defaultOverlap` where it is left out. */
  readonly overlap?: OverlapOptions | undefined;
  /** What was learned of this server's pace before. */
  readonly pace?: LearnedPace | undefined;
  /** Whether a session that is lost is fetched back by itself; where it is left out, it is. */
  readonly reconnects?: boolean | undefined;
  /** Of the words that carry a transcript into the next session. */
  readonly locale?: 'en' | 'zh' | undefined;
  /** Where the endpoint is known to have other limits than the documents say. */
  readonly sessionSeconds?: number | undefined;
  readonly contextTokens?: number | undefined;
}

export interface ConversationNeeds {
  readonly clock: Clock;
  readonly random: Random;
  /** One for each time that a server is talked with: the first, each reconnect, each going on. */
  readonly openSession: (options: SessionOptions, tell: (event: SessionEvent) => void) => Session;
  /**
   * Without one, what would be heard is paced by the clock and goes to `played` alone: only the model
   * silences it then, and an end has all of it played at once.
   */
  readonly speaker: AnswerSpeaker | undefined;
  /** What has been heard, on the time line of the conversation, silence included; for a file. */
  readonly played?: ((samples: Float32Array) => void) | undefined;
  /** The words of a turn that is over, with their times on the line of `played`; for a file. */
  readonly cue?: ((cue: Cue) => void) | undefined;
  /** How old a sample is when the microphone hands it over. */
  readonly microphoneLatencyMs?: (() => number) | undefined;
  /** The calendar's milliseconds; with it a machine that slept is noticed without being told. */
  readonly wallNow?: (() => number) | undefined;
  /** A line about delays, a minute after the last at the earliest; for whoever mends Parley. */
  readonly log?: ((line: string) => void) | undefined;
  readonly tell: (event: ConversationEvent) => void;
}

/** Medians and the like of all that was measured so far. */
export interface ConversationFigures {
  readonly measures: MeasuresSummary;
  /** How the answer was played, and what was learned of the server; nothing without a speaker. */
  readonly playout: PlayoutFigures | undefined;
  readonly pace: LearnedPace | undefined;
}

/**
 * A spoken conversation: what the person hears, says and sees of it, over as many sessions with a
 * server as it takes. It begins at once; after its end it can go on.
 */
export interface Conversation {
  /** The microphone's blocks, always, 16 kHz mono; the gate is inside. */
  readonly hear: (block: Float32Array) => void;
  /** The newest picture, a JPEG; it goes with the next append. `undefined` takes back one that waits. */
  readonly see: (frame: Uint8Array | undefined) => void;
  /** Slices a picture from the next append on. */
  readonly setMaxSlices: (slices: number) => void;
  /** Silence now; the model is told and listens. */
  readonly interrupt: () => void;
  readonly setTalking: (mode: TalkingMode) => void;
  /** Of the one talk key. A key that is repeated by the system may press again and again. */
  readonly press: () => void;
  /** `lost` where nobody knows whether the key came up, as when the window loses the keyboard. */
  readonly release: (how?: KeyUp) => void;
  /** For what has no up and down: on until it comes again. */
  readonly toggle: () => void;
  readonly setMuted: (muted: boolean) => void;
  /** While it is set nothing passes; what was before comes back. */
  readonly setCoughMuted: (muted: boolean) => void;
  /** Nothing is sent until `resume`; what has come of an answer plays out. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** After the end: a new session with the same settings, and with what was said, if wanted. */
  readonly goOn: (carry: 'transcript' | 'nothing') => void;
  /** Something of the answer is still to be heard. */
  readonly sounding: () => boolean;
  /** The machine has slept. */
  readonly woke: () => void;
  readonly figures: () => ConversationFigures;
  /** What became of a device of the person's. */
  readonly deviceNews: (use: DeviceUse, news: SoundNews) => void;
  /** Silence, and a polite end; it can go on after that. */
  readonly end: () => void;
  /** Ends it and gives back everything; nothing is told afterwards. */
  readonly close: () => Promise<void>;
}
