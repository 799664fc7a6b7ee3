import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';
import type { DialectName, DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { TapeBeginning, TapeEvent } from '../../shared/recordings/tape-event.ts';
import type { AnswerStart } from '../../shared/settings/app-settings.ts';
import type {
  CaptionPatch,
  ComputerSoundState,
  Floor,
  PushToTalkMode,
  TalkControls,
  TalkDeviceStates,
  TalkLimits,
  TalkState,
  TalkWarning,
} from '../../shared/talk/talk-view.ts';
import type { MeasuredDelay, OnlyListening } from '../../shared/talk/talk-stats.ts';
import type { Microphone } from '../audio/capture/microphone.ts';
import type { BargeInOptions } from '../audio/detection/barge-in.ts';
import type { Playback, PlaybackOptions, PlayoutStats } from '../audio/playback/playback.ts';
import type { ServerPace } from '../audio/playback/server-pace.ts';
import type { PlayoutSink } from '../audio/playback/speaker.ts';
import type { Cue, HeardTurn } from './captions/live-captions.ts';
import type { TranscriptTurn } from './policies/carry-over.ts';
import type { SessionEvent } from './session/session-event.ts';
import type { Session, SessionOptions } from './session/session.ts';
import type { Shorten } from './transcript-shortener.ts';

export interface ConversationOptions extends Omit<SessionOptions, 'mode' | 'rememberedDialect'> {
  readonly mode: DuplexMode;
  readonly talking: PushToTalkMode;
  readonly muted?: boolean | undefined;
  /** `defaultBargeInOptions` if omitted. */
  readonly bargeIn?: BargeInOptions | undefined;
  /** The pace learned from earlier talks with this server. */
  readonly pace?: ServerPace | undefined;
  /** How soon answers begin; balanced if omitted. */
  readonly answers?: AnswerStart | undefined;
  /** Whether a lost session reconnects automatically; true if omitted. */
  readonly reconnects?: boolean | undefined;
  /** Whether the next session takes over before a limit ends this one; false if omitted. */
  readonly handsOver?: boolean | undefined;
  /** Sentences around the transcript in the next session's instructions, in the user's language. */
  readonly carryOver: CoreMessages['carryOver'];
  /** Sentences around results of tools in the next session's instructions; without them it gets no results. */
  readonly talkTools?: CoreMessages['talkTools'] | undefined;
  /** Turns of the conversation that this one continues, oldest first. */
  readonly earlier?: readonly Pick<TranscriptTurn, 'text' | 'cut'>[] | undefined;
  /** Limits of the endpoint that differ from the documented ones. */
  readonly sessionSeconds?: number | undefined;
  readonly contextTokens?: number | undefined;
}

/** Records the parts of a conversation that the wire does not show, and replays them. */
export interface ConversationTape {
  /** Writes an input of the conversation before it takes effect. */
  readonly write?: ((event: TapeEvent) => void) | undefined;
  /** A tape plays: its hand-over steps are repeated instead of decided. */
  readonly plays?: true | undefined;
  readonly playback?: ((options: PlaybackOptions) => Playback) | undefined;
}

export interface ConversationDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** Called for the first session, each reconnect, each hand-over and each continuation. */
  readonly openSession: (options: SessionOptions, emit: (event: SessionEvent) => void) => Session;
  /** Without a speaker the clock paces the answer, and the talk's end plays the rest of it at once. */
  readonly speaker: PlayoutSink | undefined;
  /** Sound that was heard, with the silence between answers; valid until the call returns. */
  readonly onPlayed?: ((samples: Float32Array) => void) | undefined;
  /**
   * Gated microphone sound at 16 kHz, whose last sample was captured just now. `isUsersVoice` is false for a possible
   * echo; `voice` is the probability of a voice.
   */
  readonly onTransmitted?:
    | ((samples: Float32Array, isUsersVoice: boolean, voice: number | undefined) => void)
    | undefined;
  /** Mixes what the computer plays into a part of the sound for the model. */
  readonly addComputerSound?:
    | ((part: Float32Array, userSpeaks: boolean) => Float32Array)
    | undefined;
  /** Words of a finished turn, with times in the sound that `onPlayed` gets; for a file. */
  readonly onCue?: ((cue: Cue) => void) | undefined;
  readonly tape?: ConversationTape | undefined;
  /** Has the model shorten the transcript before a hand-over; without it, old turns are cut by rule. */
  readonly shorten?: Shorten | undefined;
  /** Returns the text about the user that follows these instructions; called for each session. */
  readonly memory?:
    | ((instructions: string | undefined, contextTokens: number | undefined) => string | undefined)
    | undefined;
  /** Latency and voice detection of the microphone; undefined if a file replaces it. */
  readonly microphone:
    | Pick<Microphone, 'latencyMs' | 'voiceLikelihood' | 'hasEcho' | 'nearEndPresence'>
    | undefined;
  /** Tools that the model may call, if its server takes them; called for each session. */
  readonly tools?: (() => readonly JsonObject[] | undefined) | undefined;
  /** The shortest pause between pictures that the server can take now; earlier pictures are dropped. */
  readonly minPauseMs?: (() => number) | undefined;
  /** Milliseconds of the calendar clock, to detect unreported sleep. A virtual clock has none. */
  readonly wallNow: (() => number) | undefined;
  /** Gets a line about delays at most once a minute, and one about the first unknown event. */
  readonly log: Log;
  readonly emit: (event: ConversationEvent) => void;
}

export interface RecordTalk {
  readonly write: (event: TapeEvent) => void;
  /** Part of a turn arrived, with this many samples of sound. */
  readonly onAnswer?: ((turn: number, samples: number) => void) | undefined;
  /** The sound of either side, at the moment it was heard. */
  readonly onSound?: ((who: 'you' | 'parley', samples: Float32Array) => void) | undefined;
  readonly devices: Pick<TapeBeginning, 'microphone' | 'speaker'>;
}

export interface ConversationStats {
  /** How the answer was played and the pace that was learned; undefined without a speaker. */
  readonly playout: PlayoutStats | undefined;
  readonly pace: ServerPace | undefined;
  /** How much speech the server has received since its last answer. */
  readonly unanswered: OnlyListening;
}

/** Events of a conversation. Those of its sessions pass through, with turns numbered across sessions. */
export type ConversationEvent =
  | Exclude<SessionEvent, { readonly event: 'listen' }>
  /** The model listens. `flushedSamples` counts the sound of its answer discarded since the last such event. */
  | { readonly event: 'listen'; readonly yields: boolean; readonly flushedSamples: number }
  | { readonly event: 'talk'; readonly state: TalkState }
  | { readonly event: 'controls'; readonly controls: TalkControls }
  | { readonly event: 'floor'; readonly floor: Floor }
  /** `isInterruption`: the words are cut because the user or the model interrupted, not because a session ended. */
  | {
      readonly event: 'caption';
      readonly patch: CaptionPatch;
      readonly isInterruption?: boolean;
    }
  /** A turn is final: what was heard of it, and what was cut off. */
  | ({ readonly event: 'turnHeard' } & HeardTurn)
  /** The next session took over. Microphone sound was buffered for `heldMs` and then sent to it. */
  | { readonly event: 'handedOver'; readonly heldMs: number }
  /** The session that begins now knows these results of tools. */
  | { readonly event: 'resultsGiven'; readonly ids: readonly string[] }
  | { readonly event: 'limits'; readonly limits: TalkLimits }
  | { readonly event: 'warning'; readonly warning: TalkWarning }
  /** The user has spoken for some time and the server only listens; at most once per talk. */
  | ({ readonly event: 'onlyListens'; readonly dialect: DialectName } & OnlyListening)
  | { readonly event: 'devices'; readonly devices: TalkDeviceStates }
  | { readonly event: 'computerSound'; readonly state: ComputerSoundState }
  /** The measured delay of an append, a piece of the answer's sound, or an interruption. */
  | { readonly event: 'measure'; readonly kind: MeasuredDelay; readonly ms: number };
