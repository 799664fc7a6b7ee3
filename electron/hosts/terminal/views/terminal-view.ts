import type { ConversationEvent } from '../../../conversation/conversation-event.ts';
import type { SessionEvent } from '../../../session/session-event.ts';

/** What commands show: the session's events, with sound counted and with what was heard of it. */
export type ViewEvent =
  | Exclude<SessionEvent, { readonly event: 'audio' | 'listen' }>
  | { readonly event: 'audio'; readonly turn: number; readonly samples: number }
  | { readonly event: 'listen'; readonly flushedSamples: number }
  | {
      readonly event: 'caption';
      readonly turn: number;
      readonly spoken: string;
      readonly upcoming: string;
    }
  /** Another session has the talk now; for so long nothing was sent. */
  | { readonly event: 'handedOver'; readonly heldMs: number }
  | Extract<ConversationEvent, { readonly event: 'onlyListens' }>
  /** Whether the person is heard, once that is not as at first: muted or not, paused or not. */
  | { readonly event: 'controls'; readonly muted: boolean; readonly paused: boolean }
  /** What can be pressed, for a screen alone. */
  | { readonly event: 'keys'; readonly lines: readonly string[] }
  /** Something for the person alone, such as what becomes of a sound device. */
  | { readonly event: 'note'; readonly sentence: string }
  /** What was typed or piped in is not asked, and why. */
  | { readonly event: 'refused'; readonly sentence: string }
  /** How loud the microphone hears, in dBFS. */
  | { readonly event: 'level'; readonly rmsDb: number };

/** Shows a session in one of the ways there are. */
export interface TerminalView {
  readonly show: (at: number, event: ViewEvent) => void;
  /** Writes to stderr, which shares the screen with what is shown. */
  readonly err: (text: string) => void;
  /** Brings what is half written to an end. */
  readonly end: () => void;
}
