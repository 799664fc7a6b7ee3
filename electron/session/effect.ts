import type { ClientAsk } from '../../shared/protocol/client-ask.ts';
import type { DialectName } from '../../shared/protocol/names.ts';
import type { TimerName } from './happening.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionState } from './state.ts';

/** What the shell does for the table. */
export type Effect =
  | { readonly do: 'connect' }
  | { readonly do: 'send'; readonly ask: ClientAsk; readonly dialect: DialectName }
  /** Closes the line with 1000 and goes on listening to it. */
  | { readonly do: 'disconnect' }
  /** Cuts the line, if there is one, and hears nothing more of it. */
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
  | { readonly do: 'tell'; readonly event: SessionEvent }
  | { readonly do: 'remember'; readonly dialect: DialectName }
  /** Hands over what is gathered of the current chunk, as an urgent one. */
  | { readonly do: 'cutChunk' }
  /** Forgets what is gathered of the current chunk. */
  | { readonly do: 'forgetChunk' };

export interface Transition {
  readonly state: SessionState;
  readonly effects: readonly Effect[];
}

export function to(state: SessionState, ...effects: readonly Effect[]): Transition {
  return { state, effects };
}

export function tell(event: SessionEvent): Effect {
  return { do: 'tell', event };
}

export function timer(name: TimerName, ms: number): Effect {
  return { do: 'timer', name, ms };
}

/** Into another phase: its predecessor's timers end, and the change is told. */
export function enter(state: SessionState, ...effects: readonly Effect[]): Transition {
  return to(state, { do: 'stopTimers' }, tell({ event: 'state', state: state.phase }), ...effects);
}
