import type { AnswerStart } from '../../shared/audio/answer-start.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { DialectName, DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { HandOverStep, TapeBeginning, TapeEvent } from '../../shared/recordings/tape-event.ts';
import type { CaptionPatch } from '../../shared/talk/caption-patch.ts';
import type {
  DeviceRole,
  Floor,
  PushToTalkMode,
  TalkControls,
  TalkDeviceStates,
  TalkLimits,
  TalkState,
  TalkWarning,
} from '../../shared/talk/talk-state.ts';
import type { LatencySummary, MeasuredDelay, OnlyListening } from '../../shared/talk/talk-stats.ts';
import type { Microphone } from '../audio/capture/microphone.ts';
import type { BargeInEvent, BargeInOptions } from '../audio/detection/barge-in.ts';
import type { DeviceEvent } from '../audio/devices/stream-supervisor.ts';
import type {
  Playback,
  PlaybackOptions,
  PlayoutSink,
  PlayoutStats,
} from '../audio/playback/playback.ts';
import type { ServerPace } from '../audio/playback/server-pace.ts';
import type { Cue } from './captions/live-captions.ts';
import type { TranscriptTurn } from './policies/transcript.ts';
import type { TransmitControls } from './push-to-talk.ts';
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

/** For a tape: what the wire does not show of a conversation, and how it is played again. */
export interface ConversationTape {
  readonly heard?: ((turn: number, samples: number) => void) | undefined;
  readonly bargeIn?: ((event: BargeInEvent) => void) | undefined;
  readonly handOver?: ((step: HandOverStep) => void) | undefined;
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

/** Opens a conversation: the one way, whatever host it is for; what is the same for all is not asked for. */
export type OpenConversation = (
  options: ConversationOptions,
  deps: Pick<
    ConversationDeps,
    'openSession' | 'speaker' | 'microphone' | 'played' | 'said' | 'cue' | 'shorten' | 'emit'
  > & { readonly record?: RecordTalk | undefined },
) => Conversation;

/** Playout and server pace as they stand now. */
export interface ConversationStats {
  /** How the answer was played, and what was learned of the server; nothing without a speaker. */
  readonly playout: PlayoutStats | undefined;
  readonly pace: ServerPace | undefined;
  /** How much speech the server has received since its last answer. */
  readonly unanswered: OnlyListening;
}

/**
 * A spoken conversation: what the person hears, says and sees of it, over as many sessions with a
 * server as it takes. It begins at once; after its end it can go on.
 */
export interface Conversation {
  /** How much of the microphone goes with one frame. */
  readonly chunkMs: number;
  /** The talk key and what mutes. */
  readonly controls: Omit<TransmitControls, 'gate' | 'setPaused' | 'stop'>;
  /** The microphone's blocks, always, 16 kHz mono; the gate is inside. */
  pushAudio(block: Float32Array): void;
  /** The newest picture, a JPEG; it goes with the next append. `undefined` takes back one that waits. */
  pushFrame(frame: Uint8Array | undefined): void;
  /** Slices a picture from the next append on. */
  setMaxSlices(slices: number): void;
  /** Silence now; the model learns of it and listens. */
  interrupt(): void;
  /** While it is set nothing is sent; what has come of an answer plays out. */
  setPaused(paused: boolean): void;
  /** After the end: a new session with the same settings, and with what was said, if wanted. */
  continueTalk(carry: 'transcript' | 'nothing'): void;
  /** Something of the answer is still to be heard. */
  sounding(): boolean;
  /** The machine has slept. */
  onSystemWake(): void;
  /** There is a network again: what waits for another try does not wait any longer. */
  onNetworkBack(): void;
  stats(): ConversationStats;
  /** Medians and the like of all that was measured so far. */
  latency(): LatencySummary;
  /** A device was opened, replaced or lost. */
  onDeviceEvent(role: DeviceRole, event: DeviceEvent): void;
  /** Silence, and a polite end; it can go on after that. */
  end(): void;
  /** Ends it and gives back everything; nothing is emitted afterwards. */
  close(): Promise<void>;
}

/**
 * What a conversation emits. The events of its sessions come through, with turns counted on from
 * session to session; each of the others is emitted only when it says something new.
 */
export type ConversationEvent =
  | Exclude<SessionEvent, { readonly event: 'listen' }>
  /** The model listens; so many samples of its answer were thrown away since the last time. */
  | { readonly event: 'listen'; readonly yields: boolean; readonly flushedSamples: number }
  | { readonly event: 'talk'; readonly state: TalkState }
  | { readonly event: 'controls'; readonly controls: TalkControls }
  | { readonly event: 'floor'; readonly floor: Floor }
  | { readonly event: 'caption'; readonly patch: CaptionPatch }
  /** Nothing changes of this turn any more: what was heard of it, and what was cut off. */
  | {
      readonly event: 'turnHeard';
      readonly turn: number;
      readonly heard: string;
      readonly cut: string;
    }
  /** Another session has the talk now; so long nothing was sent, and what was said then went first. */
  | { readonly event: 'handedOver'; readonly heldMs: number }
  | { readonly event: 'limits'; readonly left: TalkLimits }
  | { readonly event: 'warning'; readonly warning: TalkWarning }
  /** The person has spoken for some time, and the server only listens; once a talk. */
  | ({ readonly event: 'onlyListens'; readonly dialect: DialectName } & OnlyListening)
  | { readonly event: 'devices'; readonly devices: TalkDeviceStates }
  /** How long something took; once a step, once an interruption. */
  | { readonly event: 'measure'; readonly kind: MeasuredDelay; readonly ms: number };
