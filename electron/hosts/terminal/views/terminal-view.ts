import { wireReason } from '../../../../shared/errors/app-error.ts';
import {
  type CaptionedTurn,
  type CaptionPatch,
  patchCaption,
  type TalkState,
} from '../../../../shared/talk/talk-view.ts';
import type { ConversationEvent } from '../../../talk/conversation-options.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';

/** Events that commands show: session events with sample counts in place of sound, and what was heard. */
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
  /** Another session continues the talk. `heldMs`: how long nothing was sent. */
  | { readonly event: 'handedOver'; readonly heldMs: number }
  | Extract<ConversationEvent, { readonly event: 'onlyListens' }>
  /** Emitted when mute or pause changes, and when the view is redrawn. */
  | { readonly event: 'controls'; readonly muted: boolean; readonly paused: boolean }
  /** The list of keys, which only a screen shows. */
  | { readonly event: 'keys'; readonly lines: readonly string[] }
  /** A message for the user only, such as a device event. */
  | { readonly event: 'note'; readonly sentence: string }
  /** Input that was not sent, with the reason. */
  | { readonly event: 'refused'; readonly sentence: string }
  /** Microphone level in dBFS. */
  | { readonly event: 'level'; readonly rmsDb: number };

export interface TerminalView {
  readonly show: (at: number, event: ViewEvent) => void;
  /** Writes to stderr, which shares the screen with the view. */
  readonly err: (text: string) => void;
  /** Completes a partial line. */
  readonly end: () => void;
}

/** Maps events of a session without a conversation, where everything received counts as heard. */
export function sessionViewEvent(event: SessionEvent): ViewEvent {
  if (event.event === 'audio')
    return { event: 'audio', turn: event.turn, samples: event.audio.length };
  return event.event === 'listen' ? { event: 'listen', flushedSamples: 0 } : event;
}

/** Maps events of a conversation. Shows its ending, not that of a session that reconnects. */
export function conversationViewEvent(event: ConversationEvent): ViewEvent | undefined {
  switch (event.event) {
    case 'audio':
      return { event: 'audio', turn: event.turn, samples: event.audio.length };
    case 'listen':
      return { event: 'listen', flushedSamples: event.flushedSamples };
    case 'talk':
      return stateViewEvent(event.state);
    case 'controls':
      return {
        event: 'controls',
        muted: event.controls.muted,
        paused: event.controls.paused,
      };
    case 'state':
    case 'queue':
    case 'session':
    case 'sent':
    case 'dropped':
    case 'text':
    case 'turnEnded':
    case 'done':
    case 'metrics':
    case 'error':
    case 'unknown':
    case 'handedOver':
    case 'onlyListens':
      return event;
    case 'closed':
    case 'caption':
    case 'floor':
    case 'turnHeard':
    case 'limits':
    case 'warning':
    case 'devices':
    case 'computerSound':
    case 'measure':
    case 'resultsGiven':
    case 'toolCall':
      return undefined;
  }
}

function stateViewEvent(state: TalkState): ViewEvent | undefined {
  if (state.phase === 'reconnecting') {
    // Reported once for a lost session, at the first attempt to reconnect.
    if (state.attempt > 1 || state.inMs === 0) return undefined;
    const sentence = `The session was lost (${wireReason(state.error)}); reconnecting.`;
    return { event: 'note', sentence };
  }
  if (state.phase === 'live' && state.quiet === true)
    return { event: 'note', sentence: 'The server has not answered.' };
  if (state.phase !== 'ended') return undefined;
  return { event: 'closed', ...state.ending };
}

type Caption = Extract<ViewEvent, { event: 'caption' }>;

interface Line {
  /** The part of this turn that was heard before an interruption settled it. `words` has the rest. */
  readonly before: string;
  readonly words: CaptionedTurn;
}

/** The upcoming characters to show. Without a limit, each delta would print all of a long answer. */
const maxUpcoming = 1000;

/** Builds the caption line of the turn that is heard, from patches. */
export class CaptionAssembler {
  readonly #show: (caption: Caption) => void;
  /** By turn, in order of arrival. */
  readonly #lines = new Map<number, Line>();
  #settled = { turn: 0, heard: '' };
  #shown: Caption | undefined;

  constructor(show: (caption: Caption) => void) {
    this.#show = show;
  }

  readonly patch = (patch: CaptionPatch): void => {
    const known = this.#lines.get(patch.turn);
    const before = known?.before ?? this.#heardBefore(patch.turn);
    const line = { before, words: patchCaption(known?.words, patch) };
    this.#lines.set(patch.turn, line);
    this.#showCurrent();
    if (!line.words.settled) return;
    this.#settled = { turn: patch.turn, heard: heardText(line) };
    this.#lines.delete(patch.turn);
    this.#showCurrent();
  };

  #heardBefore(turn: number): string {
    return this.#settled.turn === turn ? this.#settled.heard : '';
  }

  /** Shows a turn to its end before the next. */
  #showCurrent(): void {
    const [line] = this.#lines.values();
    if (line === undefined) return;
    const caption = toCaption(line);
    if (caption.spoken === '' && caption.upcoming === '') return;
    if (this.#shown !== undefined && isSameCaption(this.#shown, caption)) return;
    this.#shown = caption;
    this.#show(caption);
  }
}

function toCaption(line: Line): Caption {
  const { turn, text, heard, cutFrom } = line.words;
  const end = Math.min(cutFrom ?? text.length, heard + maxUpcoming);
  const upcoming = text.slice(heard, end).trim();
  return { event: 'caption', turn, spoken: heardText(line).trim(), upcoming };
}

function heardText({ before, words }: Line): string {
  return before + words.text.slice(0, words.heard);
}

function isSameCaption(one: Caption, other: Caption): boolean {
  return one.turn === other.turn && one.spoken === other.spoken && one.upcoming === other.upcoming;
}
