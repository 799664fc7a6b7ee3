import type { SocketEnd } from '../../../shared/ports/sockets.ts';
import type {
  ChatTurnEvent,
  SessionSettings,
  VoiceForm,
} from '../../../shared/protocol/client-event.ts';
import type { DialectName, Mode } from '../../../shared/protocol/realtime-api.ts';
import type { ServerEvent } from '../../../shared/protocol/server-event.ts';
import type { YieldPolicy } from '../../../shared/talk/talk-state.ts';
import type { ReceivedAmounts } from './received-amounts.ts';
import type { SessionEnding } from './session-event.ts';

/** Where a session stands: one shape for each phase. */
export type SessionState =
  | ConnectingState
  | QueuedState
  | ConfiguringState
  | LiveState
  | ClosingState
  | ClosedState;

export type PendingQuestion = Omit<ChatTurnEvent, 'kind' | 'inputId'>;

/** What goes along from the first attempt to connect to the end. */
export interface SessionContext {
  readonly mode: Mode;
  readonly settings: SessionSettings;
  /** The dialect is given and never left. */
  readonly forced: boolean;
  /** The dialect that is spoken, or tried next. */
  readonly dialect: DialectName;
  /** What it spoke last, where that is known. */
  readonly remembered: DialectName | undefined;
  /** How often the session was configured, in whichever dialect. */
  readonly configures: number;
  /** As it is known of the server. */
  readonly voiceForm: VoiceForm | undefined;
  readonly refusals: readonly DialectRefusal[];
  /** How often a worker could not be handed over. */
  readonly handOvers: number;
  readonly idPrefix: string;
  readonly paused: boolean;
  readonly yielding: YieldPolicy;
  readonly questions: readonly PendingQuestion[];
  readonly frame?: Uint8Array | undefined;
  readonly maxSlices?: number | undefined;
  readonly lastError?: LastError | undefined;
  /** What the server has sent, to know one that pours out. */
  readonly received?: ReceivedAmounts | undefined;
}

/** A dialect that did not lead to a session, and how the session ends if no other does. */
export interface DialectRefusal {
  readonly dialect: DialectName;
  /** The server said nothing, so it may only have been slow. */
  readonly silent: boolean;
  readonly ending: SessionEnding;
}

interface LastError {
  readonly at: number;
  readonly code: string;
  readonly message: string;
}

export interface ConnectingState {
  readonly phase: 'connecting';
  readonly context: SessionContext;
  /** `waiting` (backoff) has no connection: it comes before another try; `opened` has one, on which nothing was sent yet. */
  readonly stage: 'opening' | 'opened' | 'backoff' | 'unsupported';
}

export interface QueuedState {
  readonly phase: 'queued';
  readonly context: SessionContext;
}

export interface ConfiguringState {
  readonly phase: 'configuring';
  readonly context: SessionContext;
  readonly since: number;
}

export interface LiveState {
  readonly phase: 'live';
  readonly context: SessionContext;
  readonly modeState: DuplexState | ChatState;
}

export interface ClosingState {
  readonly phase: 'closing';
  readonly stage: 'closeRequested' | 'disconnecting';
  readonly ending: SessionEnding;
}

interface ClosedState {
  readonly phase: 'closed';
}

export interface DuplexState {
  readonly kind: 'duplex';
  /** The timer runs that ends a session whose server owes an answer and says nothing. */
  readonly watchdogRunning: boolean;
  readonly uplink: UplinkState;
  readonly step: ModelStep | undefined;
  readonly turns: TurnState;
}

export interface UplinkState {
  /** Appends sent so far; the next one's id is made of it. */
  readonly count: number;
  /** Oldest first. */
  readonly unanswered: readonly UnansweredAppend[];
  /** Chunks that the cap holds back, oldest first. */
  readonly waiting: readonly MicrophoneChunk[];
  /** The server has named one of our ids. */
  readonly echoes: boolean;
  readonly answeredAt: number;
  /** This server has answered an append of this session. */
  readonly hasAnswered: boolean;
  /** Outputs that came since then. */
  readonly outputs: number;
  /** The server numbers its steps, and gave this number to our first append. */
  readonly firstNumber?: 0 | 1 | undefined;
  /** The slowest recent step of such a server. */
  readonly stepMs?: number | undefined;
}

/** A piece of the microphone, and when its last sample came. */
export interface MicrophoneChunk {
  readonly audio: Float32Array;
  readonly at: number;
}

export interface UnansweredAppend {
  readonly inputId: string;
  readonly at: number;
  readonly forced: boolean;
}

/** What the model's newest step has brought so far. */
export interface ModelStep {
  readonly inputId: string | undefined;
  /** Which append the server says it answers, counted from 1; see `numberedAppend`. */
  readonly append?: number | undefined;
  readonly at: number;
  readonly text: boolean;
  readonly audio: boolean;
  readonly listened: boolean;
  /** Whether its append forced the model to listen; unknown where no append is left to answer. */
  readonly forced: boolean | undefined;
}

export interface TurnState {
  readonly turn: number;
  /** Something of this turn has come, and its end has not. */
  readonly open: boolean;
  /** This server has closed a turn with a listen in the step of its last sound. */
  readonly closesInStep: boolean;
  /** From `interrupt` until the model listens: what it says meanwhile is not wanted. */
  readonly interrupting: boolean;
  readonly interruptedAt: number | undefined;
  readonly previousTurnWasCut?: boolean | undefined;
  /** When the first of this turn came. */
  readonly openedAt: number | undefined;
  /** When text of this turn last came. */
  readonly textAt?: number | undefined;
  /** The model has listened, and sound of this turn may still come. */
  readonly awaitsSound?: boolean | undefined;
  /** When a chunk in which somebody speaks was last heard. */
  readonly voicedAt: number | undefined;
}

export interface ChatState {
  readonly kind: 'chat';
  readonly count: number;
  readonly turn: number;
  /** The turn that is being answered. */
  readonly answer: PartialAnswer | undefined;
  /** Answers that failed, as the server names them: what still comes of one is not of the next. */
  readonly givenUp: readonly string[];
}

export interface PartialAnswer {
  readonly inputId: string;
  /** As the server names it. */
  readonly responseId?: string | undefined;
  readonly text: string;
  readonly sounded: boolean;
  /** The answer is wanted spoken. */
  readonly speaks: boolean;
  /** The server has ended it, and sound of it may still come. */
  readonly ended?: { readonly text: string; readonly reason: string } | undefined;
}

/** The clocks of a session. They belong to a phase: leaving it stops them all. */
export type TimerName =
  | 'unsupported'
  | 'opening'
  | 'firstEvent'
  | 'retry'
  | 'created'
  | 'answer'
  | 'lateSound'
  | 'closeRequested'
  | 'disconnecting';

/** Everything that can happen to a session, with the time at which it does. */
export type SessionInput = { readonly at: number } & (
  | { readonly kind: 'opened' }
  | { readonly kind: 'server'; readonly event: ServerEvent }
  | { readonly kind: 'ended'; readonly end: SocketEnd }
  | { readonly kind: 'timer'; readonly name: TimerName }
  | { readonly kind: 'command'; readonly command: SessionCommand }
  | { readonly kind: 'end' }
);

/** What the person, or the program for them, does; the rest comes from the connection and the clock. */
export type SessionCommand =
  /** A chunk of the microphone; an urgent one was cut short to interrupt. */
  | { readonly kind: 'chunk'; readonly audio: Float32Array; readonly urgent: boolean }
  | { readonly kind: 'frame'; readonly frame: Uint8Array | undefined }
  | { readonly kind: 'maxSlices'; readonly slices: number }
  /** What the model is to be told: counts until the session is configured. */
  | { readonly kind: 'instructions'; readonly text: string | undefined }
  | { readonly kind: 'question'; readonly question: PendingQuestion }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' };

/** What a command leaves behind whatever the phase, so that one given before the session is live counts. */
export function applyCommand(context: SessionContext, command: SessionCommand): SessionContext {
  switch (command.kind) {
    case 'frame':
      return { ...context, frame: command.frame };
    case 'maxSlices':
      return { ...context, maxSlices: command.slices };
    case 'instructions':
      return { ...context, settings: { ...context.settings, instructions: command.text } };
    case 'question':
      return { ...context, questions: [...context.questions, command.question] };
    case 'pause':
      return { ...context, paused: true };
    case 'resume':
      return { ...context, paused: false };
    case 'chunk':
    case 'interrupt':
      return context;
  }
}
