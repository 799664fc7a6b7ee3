import type { AppError } from '../../shared/errors/app-error.ts';
import {
  type CaptionedTurn,
  type CaptionPatch,
  patchCaption,
  type TalkEnded,
  type TalkEnding,
  type TalkOffer,
  type TalkTextState,
} from '../../shared/talk/talk-view.ts';

/** Typing during a talk. The text goes to a written conversation, not into the talk. */
export interface TypingState {
  readonly open: boolean;
  /** The conversation started for this talk, once there is one. */
  readonly chat: string | undefined;
  readonly error: AppError | undefined;
  /** Text that the user has typed and not sent. It outlives the field, which is hidden while the talk reconnects. */
  readonly unsent: { readonly message: string; readonly task: string };
}

export const noTyping: TypingState = {
  open: false,
  chat: undefined,
  error: undefined,
  unsent: { message: '', task: '' },
};

/** Enough for hours of talk; the oldest are dropped. */
const maxPatchedTurns = 2000;
/** Dropping turns in batches shifts the array far less often. */
const slack = 200;

/** Usually only the last turn changes; unchanged turns keep their identity. */
export function patchTurns(
  turns: readonly CaptionedTurn[],
  patches: readonly CaptionPatch[],
): readonly CaptionedTurn[] {
  const patched = [...turns];
  for (const patch of patches) {
    const at = findTurnIndex(patched, patch.turn);
    const turn = patchCaption(patched[at], patch);
    if (at === -1) patched.push(turn);
    else patched[at] = turn;
  }
  return patched.length > maxPatchedTurns + slack ? patched.slice(-maxPatchedTurns) : patched;
}

/** Turn numbers rise, so the search starts at the end. */
function findTurnIndex(turns: readonly CaptionedTurn[], turn: number): number {
  const at = turns.findLastIndex((known) => known.turn <= turn);
  return turns[at]?.turn === turn ? at : -1;
}

type EndingTitle =
  | 'client'
  | 'server'
  | 'limit'
  | 'context'
  | 'network'
  | 'unreached'
  | 'endpoint'
  | 'token'
  | 'crash';

/** Picks the headline; the error's own sentence gives the details. */
export function endingTitle({ by, error }: TalkEnding, offer: TalkOffer): EndingTitle {
  if (offer === 'checkEndpoint') return 'endpoint';
  if (offer === 'checkToken') return 'token';
  if (error.code === 'timeLimitReached') return 'limit';
  if (error.code === 'talkCutByCrash') return 'crash';
  if (error.code === 'memoryFull') return 'context';
  if (isUnreached({ by }, offer)) return 'unreached';
  return by;
}

/** Whether the talk never connected; the server's address may be wrong. */
export function isUnreached({ by }: Pick<TalkEnding, 'by'>, offer: TalkOffer): boolean {
  return by === 'network' && offer === 'retry';
}

/**
 * Whether to say that the text is not stored. A talk without words has no text to lose. If a crash cut a talk whose text
 * is stored, this run does not know the record, but the card already says until when the talk is kept.
 */
export function isTextLost(
  text: TalkTextState,
  { error }: Pick<TalkEnding, 'error'>,
  { keepsTalks, hasWords }: { readonly keepsTalks: boolean; readonly hasWords: boolean },
): boolean {
  const hasRecord = error.code === 'talkCutByCrash' && keepsTalks;
  return text.kind === 'notStored' && hasWords && !hasRecord;
}

/** Whether the talk can continue as it is. After other endings the user must fix something first. */
export function mayContinue({ ending, offer }: Pick<TalkEnded, 'ending' | 'offer'>): boolean {
  return offer === 'continue' || (offer === 'none' && ending.by === 'client');
}
