import { appError } from '../../../shared/errors/app-error.ts';
import type { SocketEnd } from '../../../shared/ports/sockets.ts';
import type {
  ChatQuestion,
  ClientEvent,
  SessionSettings,
  ToolCallForm,
  VoiceForm,
  DialectName,
  Mode,
  CommonFields,
  DoneEvent,
  MalformedEvent,
  OutputEvent,
  ServerEvent,
  UnknownEvent,
} from '../../../shared/protocol/realtime-api.ts';
import type { YieldPolicy } from '../../../shared/talk/talk-view.ts';
import type { ReceivedAmounts } from './received-amounts.ts';
import type { SessionEnding, SessionEvent } from './session-event.ts';

/** State of a session: one shape per phase. */
export type SessionState =
  | ConnectingState
  | QueuedState
  | ConfiguringState
  | LiveState
  | ClosingState
  | ClosedState;

/** Data of a session in every phase before it closes. */
export interface SessionContext {
  readonly mode: Mode;
  readonly settings: SessionSettings;
  /** The dialect was configured and must not change. */
  readonly forced: boolean;
  /** The dialect in use, or the next to try. */
  readonly dialect: DialectName;
  /** The dialect that the server spoke last, if known. */
  readonly remembered: DialectName | undefined;
  readonly configures: number;
  readonly voiceForm: VoiceForm | undefined;
  readonly refusals: readonly DialectRefusal[];
  /** How many times the server failed to give Parley the worker for which Parley had queued. */
  readonly failedHandOvers: number;
  readonly idPrefix: string;
  readonly paused: boolean;
  readonly yielding: YieldPolicy;
  readonly questions: readonly ChatQuestion[];
  readonly frame?: Uint8Array | undefined;
  readonly maxSlices?: number | undefined;
  /** The server takes tools in talks, as far as known. */
  readonly takesTools: boolean;
  /** Calls of the model without a result, by the server's id. */
  readonly calls: ReadonlyMap<string, ToolCallForm>;
  readonly lastError?: LastError | undefined;
  /** Amounts received, to detect a server that floods the client. */
  readonly received?: ReceivedAmounts | undefined;
}

/** A dialect that led to no session, and how the session ends if none does. */
export interface DialectRefusal {
  readonly dialect: DialectName;
  /** The server did not answer, so it may only have been slow. */
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
  /**
   * `backoff` precedes the next attempt; on an `opened` connection nothing was sent yet. `unsupported`: the session was
   * asked for a chat in the legacy dialect, which has none, and ends at once.
   */
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
  /** The stall timer runs: the server owes an answer. */
  readonly watchdogRunning: boolean;
  readonly uplink: UplinkState;
  readonly step: ModelStep | undefined;
  readonly turns: TurnState;
}

export interface UplinkState {
  /** Appends sent so far; the next id is derived from it. */
  readonly count: number;
  /** Oldest first. */
  readonly unanswered: readonly UnansweredAppend[];
  /** Chunks held back because too many appends are unanswered, oldest first. */
  readonly waiting: readonly MicrophoneChunk[];
  /** The server has repeated one of our ids in an answer. */
  readonly echoes: boolean;
  readonly answeredAt: number;
  readonly hasAnswered: boolean;
  /** Outputs since the last answered append. */
  readonly outputs: number;
  /** The number that a server with numbered steps gave our first append. */
  readonly firstNumber?: 0 | 1 | undefined;
  /** Longest recent step of a server with numbered steps. */
  readonly stepMs?: number | undefined;
}

/** A chunk of microphone sound; `at` is the time of its last sample. */
export interface MicrophoneChunk {
  readonly audio: Float32Array;
  readonly at: number;
}

export interface UnansweredAppend {
  readonly inputId: string;
  readonly at: number;
  readonly forced: boolean;
}

export interface ModelStep {
  readonly inputId: string | undefined;
  /** The append that the server says it answers, from 1; see `numberedAppend`. */
  readonly append?: number | undefined;
  readonly at: number;
  readonly text: boolean;
  readonly audio: boolean;
  readonly listened: boolean;
  /** Whether the step's append forced listening; undefined if no append was left to answer. */
  readonly forced: boolean | undefined;
}

export interface TurnState {
  readonly turn: number;
  readonly open: boolean;
  /** The server has closed at least one turn with a listen in the same step as the turn's last sound. */
  readonly closesInStep: boolean;
  /** From an interruption until the model listens; output is discarded meanwhile. */
  readonly interrupting: boolean;
  readonly interruptedAt: number | undefined;
  readonly previousTurnWasCut?: boolean | undefined;
  readonly openedAt: number | undefined;
  readonly textAt?: number | undefined;
  /** The model listened, but sound of this turn may still come. */
  readonly awaitsSound?: boolean | undefined;
  /** When a chunk last contained speech. */
  readonly voicedAt: number | undefined;
}

export interface ChatState {
  readonly kind: 'chat';
  readonly count: number;
  readonly turn: number;
  readonly answer: PartialAnswer | undefined;
  /** Server ids of failed answers, whose late parts are ignored. */
  readonly givenUp: readonly string[];
}

export interface PartialAnswer {
  readonly inputId: string;
  /** The server's id. */
  readonly responseId?: string | undefined;
  readonly text: string;
  readonly sounded: boolean;
  /** The question asked for speech. */
  readonly speaks: boolean;
  /** The server ended the answer, but its sound may still come. */
  readonly ended?: { readonly text: string; readonly reason: string } | undefined;
}

/** Timers of a session; leaving a phase stops all of them. */
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

/** Inputs of the transition table, with their time. */
export type SessionInput = { readonly at: number } & (
  | { readonly kind: 'opened' }
  | { readonly kind: 'server'; readonly event: ServerEvent }
  | { readonly kind: 'ended'; readonly end: SocketEnd }
  | { readonly kind: 'timer'; readonly name: TimerName }
  | { readonly kind: 'command'; readonly command: SessionCommand }
  | { readonly kind: 'end' }
);

/** Inputs from the user or the application; others come from the connection and timers. */
export type SessionCommand =
  /** A chunk of microphone sound; an urgent one was cut short to interrupt. */
  | { readonly kind: 'chunk'; readonly audio: Float32Array; readonly urgent: boolean }
  | { readonly kind: 'frame'; readonly frame: Uint8Array | undefined }
  | { readonly kind: 'maxSlices'; readonly slices: number }
  /** Has an effect only before the session is configured. */
  | { readonly kind: 'instructions'; readonly text: string | undefined }
  | { readonly kind: 'question'; readonly question: ChatQuestion }
  /** The result of a call that the model made. */
  | { readonly kind: 'toolResult'; readonly call: string; readonly text: string }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' };

/** Applies a command to the context in any phase, so that commands before `live` count. */
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
    case 'toolResult':
    case 'chunk':
    case 'interrupt':
      return context;
  }
}

/** An action that a transition requests and `session.ts` performs. */
export type Effect =
  | { readonly do: 'connect' }
  | { readonly do: 'send'; readonly message: ClientEvent; readonly dialect: DialectName }
  /** Closes the connection with 1000 and still receives from it. */
  | { readonly do: 'disconnect' }
  /** Cuts the connection, if there is one, and receives nothing more from it. */
  | { readonly do: 'terminate' }
  /** Starts or restarts a timer, with a random extra of up to `spreadMs`. */
  | {
      readonly do: 'timer';
      readonly name: TimerName;
      readonly ms: number;
      readonly spreadMs?: number | undefined;
    }
  | { readonly do: 'stopTimer'; readonly name: TimerName }
  | { readonly do: 'stopTimers' }
  | { readonly do: 'emit'; readonly event: SessionEvent }
  | {
      readonly do: 'rememberDialect';
      readonly dialect: DialectName;
      readonly voiceForm?: VoiceForm | undefined;
    }
  /** Sends the partial chunk at once. */
  | { readonly do: 'flushChunk' }
  | { readonly do: 'discardChunk' };

export interface Transition {
  readonly state: SessionState;
  readonly effects: readonly Effect[];
}

export function transitionTo(state: SessionState, ...effects: readonly Effect[]): Transition {
  return { state, effects };
}

export function prependEffects(
  before: readonly Effect[],
  { state, effects }: Transition,
): Transition {
  return { state, effects: [...before, ...effects] };
}

export function emit(event: SessionEvent): Effect {
  return { do: 'emit', event };
}

export function startTimer(name: TimerName, ms: number): Effect {
  return { do: 'timer', name, ms };
}

/** Enters a phase: stops its predecessor's timers and emits the change. */
export function enterPhase(state: SessionState, ...effects: readonly Effect[]): Transition {
  return transitionTo(
    state,
    { do: 'stopTimers' },
    emit({ event: 'state', state: state.phase }),
    ...effects,
  );
}

/** Emits an event's metrics with the round trip of its append. */
export function emitMetrics(
  { metrics }: CommonFields,
  roundTripMs: number | undefined,
): readonly Effect[] {
  if (metrics === undefined && roundTripMs === undefined) return [];
  return [emit({ event: 'metrics', metrics: metrics ?? { values: {} }, roundTripMs })];
}

/** Session event for an unknown or malformed frame, which changes no state. */
export function unreadable(event: UnknownEvent | MalformedEvent): SessionEvent {
  return event.kind === 'unknown'
    ? { event: 'unknown', type: event.type }
    : malformed(event.problem);
}

/** Session events for sound with invalid samples, which were replaced with silence. */
export function repairs({ repairedSamples = 0 }: OutputEvent | DoneEvent): readonly SessionEvent[] {
  if (repairedSamples === 0) return [];
  return [
    malformed('The server sent sound with invalid samples. Parley plays silence in their place.'),
  ];
}

function malformed(detail: string): SessionEvent {
  const error = appError('eventUnreadable', {}, { detail });
  return { event: 'error', error, fatal: false };
}
