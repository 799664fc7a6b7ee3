import type {
  ChatTurnEvent,
  SessionSettings,
  VoiceForm,
} from '../../shared/protocol/client-event.ts';
import type { ClientCodec } from '../../shared/protocol/client-codec.ts';
import type { DialectName, Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Sockets } from '../ports/sockets.ts';
import type { SessionEvent, SessionPhase, YieldPolicy } from './session-event.ts';

export interface SessionOptions {
  readonly mode: Mode;
  readonly settings: SessionSettings;
  /** `auto` finds out, beginning with what is remembered of this endpoint. */
  readonly dialect: 'auto' | DialectName;
  readonly rememberedDialect?: DialectName | undefined;
  /** How the legacy dialect's servers read a voice, where that is known; else the session finds out what it can. */
  readonly voiceForm?: VoiceForm | undefined;
  /** How much microphone goes into one append. */
  readonly chunkMs: number;
  /** `auto` where it is left out. */
  readonly yielding?: YieldPolicy | undefined;
}

export interface SessionDeps {
  readonly sockets: Sockets;
  readonly clock: Clock;
  readonly random: Random;
  readonly codec: ClientCodec;
  readonly emit: (event: SessionEvent) => void;
  /** Called once when it is certain which dialect this endpoint speaks, and with it how it reads a voice, where that was seen. */
  readonly rememberDialect: (dialect: DialectName, voiceForm: VoiceForm | undefined) => void;
}

/** One conversation with a server, from the first attempt to connect to its end. */
export interface Session {
  readonly phase: SessionPhase;
  /** Microphone blocks of any length, 16 kHz mono; only pause and the cap drop any. */
  pushAudio(block: Float32Array): void;
  /** So many samples are missing in the chunk that has begun; none where nothing has, or nothing is taken. */
  untilChunk(): number;
  /**
   * The newest frame, a JPEG; it goes with the next append, in the legacy dialect with each until there is a newer one.
   * Nothing takes it back.
   */
  pushFrame(frame: Uint8Array | undefined): void;
  /** Slices a frame from the next append on. */
  setMaxSlices(slices: number): void;
  /** What the model is to be told instead; nothing changes once the session has been configured. */
  setInstructions(text: string | undefined): void;
  /** A turn of chat. Asked before the session is live it waits; a second one waits for the first. */
  ask(turn: Omit<ChatTurnEvent, 'kind' | 'inputId'>): void;
  /** Makes the model stop speaking: force-listen at once, repeated until it yields. */
  interrupt(): void;
  /** Nothing is sent until `resume`; what was captured meanwhile is dropped. */
  pause(): void;
  resume(): void;
  /** Ends politely; `closed` follows within a bounded wait, whatever the server does. */
  end(): void;
}

/** One in which nothing is said or shown: it is asked, and answers. */
export type WrittenSession = Pick<Session, 'phase' | 'ask' | 'end'>;
