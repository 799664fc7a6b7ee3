import type { ClientEvent, VoiceForm } from '../../shared/protocol/client-event.ts';
import type { DialectName } from '../../shared/protocol/dialect-and-mode.ts';
import type { TimerName } from './session-input.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionState } from './session-state.ts';

/** What the shell does for the table. */
export type Effect =
  | { readonly do: 'connect' }
  | { readonly do: 'send'; readonly ask: ClientEvent; readonly dialect: DialectName }
  /** Closes the connection with 1000 and still receives from it. */
  | { readonly do: 'disconnect' }
  /** Cuts the connection, if there is one, and receives nothing more from it. */
  | { readonly do: 'terminate' }
  /** Starts a timer, or starts it anew; up to `spreadMs` are added by the dice. */
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
  /** Hands over what is gathered of the current chunk, as an urgent one. */
  | { readonly do: 'flushChunk' }
  /** Forgets what is gathered of the current chunk. */
  | { readonly do: 'discardChunk' };

export interface Transition {
  readonly state: SessionState;
  readonly effects: readonly Effect[];
}

export function transitionTo(state: SessionState, ...effects: readonly Effect[]): Transition {
  return { state, effects };
}

export function emit(event: SessionEvent): Effect {
  return { do: 'emit', event };
}

export function startTimer(name: TimerName, ms: number): Effect {
  return { do: 'timer', name, ms };
}

/** Into another phase: its predecessor's timers end, and the change is emitted. */
export function enterPhase(state: SessionState, ...effects: readonly Effect[]): Transition {
  return transitionTo(
    state,
    { do: 'stopTimers' },
    emit({ event: 'state', state: state.phase }),
    ...effects,
  );
}
