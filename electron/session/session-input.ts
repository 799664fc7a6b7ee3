import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import type { SocketEnd } from '../ports/sockets.ts';
import type { PendingQuestion } from './session-state.ts';

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
  /** A chunk of the microphone; an urgent one was cut short to interrupt. */
  | { readonly kind: 'chunk'; readonly audio: Float32Array; readonly urgent: boolean }
  | { readonly kind: 'frame'; readonly frame: Uint8Array | undefined }
  | { readonly kind: 'maxSlices'; readonly slices: number }
  /** What the model is to be told: counts until the session is configured. */
  | { readonly kind: 'instructions'; readonly text: string | undefined }
  | { readonly kind: 'question'; readonly question: PendingQuestion }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'end' }
);

/** What the person, or the program for them, does; the rest comes from the connection and the clock. */
export type SessionCommand = Extract<
  SessionInput,
  {
    kind:
      | 'chunk'
      | 'frame'
      | 'maxSlices'
      | 'instructions'
      | 'question'
      | 'interrupt'
      | 'pause'
      | 'resume';
  }
>;
