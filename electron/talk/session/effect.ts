import { appError } from '../../../shared/errors/app-error.ts';
import type { ClientEvent, VoiceForm } from '../../../shared/protocol/client-event.ts';
import type { DialectName } from '../../../shared/protocol/realtime-api.ts';
import type {
  CommonFields,
  DoneEvent,
  MalformedEvent,
  OutputEvent,
  UnknownEvent,
} from '../../../shared/protocol/server-event.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionState, TimerName } from './session-state.ts';

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
  return [emit({ event: 'metrics', metrics: metrics ?? { figures: {} }, roundTripMs })];
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
