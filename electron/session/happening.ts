import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import type { SocketEnd } from '../ports/sockets.ts';
import type { Question } from './state.ts';

/** The clocks of a session. They belong to a phase: leaving it stops them all. */
export type TimerName =
  'impossible' | 'opening' | 'firstWord' | 'retry' | 'created' | 'answer' | 'goodbye' | 'hangUp';

/** Everything that can happen to a session, with the time at which it does. */
export type Happening = { readonly at: number } & (
  | { readonly kind: 'opened' }
  | { readonly kind: 'server'; readonly event: ServerEvent }
  | { readonly kind: 'ended'; readonly end: SocketEnd }
  | { readonly kind: 'timer'; readonly name: TimerName }
  /** A chunk of the microphone; an urgent one was cut short to interrupt. */
  | { readonly kind: 'chunk'; readonly audio: Float32Array; readonly urgent: boolean }
  | { readonly kind: 'see'; readonly frame: Uint8Array | undefined }
  | { readonly kind: 'slices'; readonly slices: number }
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'end' }
);

/** What the person, or the program for them, does; the rest comes from the line and the clock. */
export type Wish = Extract<
  Happening,
  { kind: 'chunk' | 'see' | 'slices' | 'ask' | 'interrupt' | 'pause' | 'resume' }
>;
