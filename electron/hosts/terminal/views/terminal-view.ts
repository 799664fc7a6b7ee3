import { reasonOf } from '../../../../shared/errors/session-reasons.ts';
import {
  type CaptionedTurn,
  type CaptionPatch,
  patchCaption,
} from '../../../../shared/talk/caption-patch.ts';
import type { TalkState } from '../../../../shared/talk/talk-state.ts';
import type { ConversationEvent } from '../../../talk/conversation-event.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';

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

/** What of a session is shown that has no conversation around it: whatever comes is heard. */
export function viewEventOfSession(event: SessionEvent): ViewEvent {
  if (event.event === 'audio')
    return { event: 'audio', turn: event.turn, samples: event.audio.length };
  return event.event === 'listen' ? { event: 'listen', flushedSamples: 0 } : event;
}

/** What of a conversation is shown; its end is its own, and not that of a session that is reconnected. */
export function viewEventOf(event: ConversationEvent): ViewEvent | undefined {
  switch (event.event) {
    case 'audio':
      return { event: 'audio', turn: event.turn, samples: event.audio.length };
    case 'listen':
      return { event: 'listen', flushedSamples: event.flushedSamples };
    case 'talk':
      return ofState(event.state);
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
    case 'measure':
      return undefined;
  }
}

function ofState(state: TalkState): ViewEvent | undefined {
  if (state.phase === 'reconnecting') {
    // Once a loss, and not with every try that follows.
    if (state.attempt > 1 || state.inMs === 0) return undefined;
    const sentence = `The session is lost (${reasonOf(state.error)}); connecting again.`;
    return { event: 'note', sentence };
  }
  if (state.phase === 'live' && state.quiet === true)
    return { event: 'note', sentence: 'No word from the server.' };
  if (state.phase !== 'ended') return undefined;
  return { event: 'closed', ...state.ending };
}

type Caption = Extract<ViewEvent, { event: 'caption' }>;

interface Line {
  /** Heard of this turn before it was cut off; what still came of it follows. */
  readonly before: string;
  readonly words: CaptionedTurn;
}

/** What is further ahead is shown when it comes nearer: else each delta would write out all of a long answer. */
const maxUpcoming = 1000;

/** One line of words made of their patches: those of the turn that is being heard. */
export class CaptionAssembler {
  readonly #show: (caption: Caption) => void;
  /** By their turns, in the order in which they came. */
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
    this.#look();
    if (!line.words.settled) return;
    this.#settled = { turn: patch.turn, heard: heardOf(line) };
    this.#lines.delete(patch.turn);
    this.#look();
  };

  #heardBefore(turn: number): string {
    return this.#settled.turn === turn ? this.#settled.heard : '';
  }

  /** A turn is heard to its end before the next one is looked at. */
  #look(): void {
    const [line] = this.#lines.values();
    if (line === undefined) return;
    const caption = captionOf(line);
    if (caption.spoken === '' && caption.upcoming === '') return;
    if (this.#shown !== undefined && isSame(this.#shown, caption)) return;
    this.#shown = caption;
    this.#show(caption);
  }
}

/** What was cut off is no part of it. */
function captionOf(line: Line): Caption {
  const { turn, text, heard, cutFrom } = line.words;
  const end = Math.min(cutFrom ?? text.length, heard + maxUpcoming);
  const upcoming = text.slice(heard, end).trim();
  return { event: 'caption', turn, spoken: heardOf(line).trim(), upcoming };
}

function heardOf({ before, words }: Line): string {
  return before + words.text.slice(0, words.heard);
}

function isSame(one: Caption, other: Caption): boolean {
  return one.turn === other.turn && one.spoken === other.spoken && one.upcoming === other.upcoming;
}
