import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { TapeBeginning, TapeEvent } from '../../shared/recordings/tape-event.ts';
import type { AnswerStart } from '../../shared/settings/talking-settings.ts';
import type { PushToTalkMode } from '../../shared/talk/talk-state.ts';
import type { OnlyListening } from '../../shared/talk/talk-stats.ts';
import type { Microphone } from '../audio/capture/microphone.ts';
import type { BargeInOptions } from '../audio/detection/barge-in.ts';
import type { Playback, PlaybackOptions, PlayoutStats } from '../audio/playback/playback.ts';
import type { ServerPace } from '../audio/playback/server-pace.ts';
import type { PlayoutSink } from '../audio/playback/speaker.ts';
import type { Cue } from './captions/live-captions.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { TranscriptTurn } from './policies/transcript.ts';
import type { Shorten } from './record-shortener.ts';
import type { SessionEvent } from './session/session-event.ts';
import type { Session, SessionOptions } from './session/session.ts';

/** What a conversation is opened with: mode, session settings, push-to-talk, barge-in. */
export interface ConversationOptions extends Omit<SessionOptions, 'mode' | 'rememberedDialect'> {
  readonly mode: DuplexMode;
  readonly talking: PushToTalkMode;
  /** It begins muted. */
  readonly muted?: boolean | undefined;
  /** Barge-in: what becomes of a short sound over the answer; `defaultBargeInOptions` where it is left out. */
  readonly bargeIn?: BargeInOptions | undefined;
  /** What was learned of this server's pace before. */
  readonly pace?: ServerPace | undefined;
  /** How soon answers begin; balanced where it is left out. */
  readonly answers?: AnswerStart | undefined;
  /** Whether a session that is lost is fetched back by itself; where it is left out, it is. */
  readonly reconnects?: boolean | undefined;
  /** Whether a next session takes over before a limit ends one; where it is left out, none does. */
  readonly handsOver?: boolean | undefined;
  /** What frames a transcript in the next session, in the person's language. */
  readonly carryOver: CoreMessages['carryOver'];
  /** What was said in a conversation that this one goes on with, oldest first. */
  readonly earlier?: readonly Pick<TranscriptTurn, 'text' | 'cut'>[] | undefined;
  /** Where the endpoint is known to have other limits than the documents say. */
  readonly sessionSeconds?: number | undefined;
  readonly contextTokens?: number | undefined;
}

/** For a tape: how what the wire does not show of a conversation is written down, and how it is played again. */
export interface ConversationTape {
  /** What is done to the conversation is written before it is done. */
  readonly write?: ((event: TapeEvent) => void) | undefined;
  /** A tape is played: the steps of a hand-over come from there, too, and nothing is judged anew. */
  readonly plays?: true | undefined;
  /** Stands for the speaker that there was when it was recorded. */
  readonly playback?: ((options: PlaybackOptions) => Playback) | undefined;
}

/** The ports and callbacks of a conversation. */
export interface ConversationDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** One for each time that a server is talked with: the first, each reconnect, each going on. */
  readonly openSession: (options: SessionOptions, emit: (event: SessionEvent) => void) => Session;
  /**
   * Without one, what would be heard is paced by the clock and goes to `played` alone: only the model
   * silences it then, and an end has all of it played at once.
   */
  readonly speaker: PlayoutSink | undefined;
  /** What has been heard, on the time line of the conversation, silence included; for a file. */
  readonly played?: ((samples: Float32Array) => void) | undefined;
  /**
   * What the gate lets through of the person, 16 kHz, with the silence for the rest: its last sample is of now. Not the
   * person's is what comes while an answer is heard and nobody speaks over it. How likely it is a voice is told where known.
   */
  readonly said?:
    | ((samples: Float32Array, isPersons: boolean, voice: number | undefined) => void)
    | undefined;
  /** The words of a turn that is over, with their times on the time line of `played`; for a file. */
  readonly cue?: ((cue: Cue) => void) | undefined;
  readonly tape?: ConversationTape | undefined;
  /** Before a next session takes over, what it is to be told is shortened by this; where it is missing, by rule. */
  readonly shorten?: Shorten | undefined;
  /** How old a sample is when it is handed over, how likely it is a voice's, whether an echo was taken out, and whether somebody is heard who is none; none where a file stands for the microphone. */
  readonly microphone:
    | Pick<Microphone, 'latencyMs' | 'voice' | 'hasEcho' | 'hearsSomebody'>
    | undefined;
  /** The calendar's milliseconds; by it a machine that slept is noticed without an event of the system. A virtual clock has none. */
  readonly wallNow: (() => number) | undefined;
  /** Gets a line about delays, a minute after the last at the earliest. */
  readonly log: Log;
  readonly emit: (event: ConversationEvent) => void;
}

/** Where a tape is made: what is written on it beside the wire. */
export interface RecordTalk {
  readonly write: (event: TapeEvent) => void;
  /** Something of a turn came, with so many samples of sound. */
  readonly answered?: ((turn: number, samples: number) => void) | undefined;
  /** The sound of either side, at the moment when it was. */
  readonly sounded?: ((who: 'you' | 'parley', samples: Float32Array) => void) | undefined;
  readonly devices: Pick<TapeBeginning, 'microphone' | 'speaker'>;
}

/** Playout and server pace as they stand now. */
export interface ConversationStats {
  /** How the answer was played, and what was learned of the server; nothing without a speaker. */
  readonly playout: PlayoutStats | undefined;
  readonly pace: ServerPace | undefined;
  /** How much speech the server has received since its last answer. */
  readonly unanswered: OnlyListening;
}
