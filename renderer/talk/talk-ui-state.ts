import type { AppError } from '../../shared/errors/app-error.ts';
import {
  type CaptionedTurn,
  type CaptionPatch,
  patchCaption,
} from '../../shared/talk/caption-patch.ts';
import type { Floor } from '../../shared/talk/talk-state.ts';

/** A stretch in which the person spoke, as far as this page has seen it; what was said is not known. */
export interface SpokenTurn {
  /** Milliseconds of the page's clock. */
  readonly at: number;
  readonly seconds: number;
  /** The newest turn of Parley's that had begun by then. */
  readonly after: number | undefined;
}

export interface SpokenTurns {
  readonly turns: readonly SpokenTurn[];
  readonly speaking: Pick<SpokenTurn, 'at' | 'after'> | undefined;
}

export const nothingSpoken: SpokenTurns = { turns: [], speaking: undefined };

/** What is shorter is a cough, or a key on the table. */
const minSeconds = 1;
/** More than a long talk has. */
const maxTurns = 500;

/** What becomes of them when somebody else has the floor; of what is not worth a mark, nothing. */
export function withFloor(
  spoken: SpokenTurns,
  floor: Floor,
  newest: number | undefined,
  now: number,
): SpokenTurns {
  const { turns, speaking } = spoken;
  const speaks = floor === 'you' || floor === 'both';
  if (speaks === (speaking !== undefined)) return spoken;
  if (speaking === undefined) return { turns, speaking: { at: now, after: newest } };
  const seconds = (now - speaking.at) / 1000;
  const last = turns.at(-1);
  // Parley has said nothing meanwhile: the same thought, with a breath in it.
  if (last !== undefined && last.after === speaking.after) {
    const longer = { ...last, seconds: last.seconds + seconds };
    return { turns: [...turns.slice(0, -1), longer], speaking: undefined };
  }
  if (seconds < minSeconds) return { turns, speaking: undefined };
  return { turns: [...turns, { ...speaking, seconds }].slice(-maxTurns), speaking: undefined };
}

/** Words that are typed while one talks. They go beside the talk: into a written conversation of their own. */
export interface TypingState {
  readonly open: boolean;
  /** The conversation that was begun for this talk, once there is one. */
  readonly chat: string | undefined;
  readonly error: AppError | undefined;
}

export const noTyping: TypingState = { open: false, chat: undefined, error: undefined };

/** Hours of talk; the oldest go first. */
const maxPatchedTurns = 2000;
/** Letting them go by the hundred moves what stands behind them a hundred times less often. */
const slack = 200;

/**
 * The turns after the patches, in the order in which those came. Nearly always it is the last turn that changes; what
 * does not stays the very same. The list is copied once, however many there are.
 */
export function patchTurns(
  turns: readonly CaptionedTurn[],
  patches: readonly CaptionPatch[],
): readonly CaptionedTurn[] {
  const patched = [...turns];
  for (const patch of patches) {
    const at = placeOf(patched, patch.turn);
    const turn = patchCaption(patched[at], patch);
    if (at === -1) patched.push(turn);
    else patched[at] = turn;
  }
  return patched.length > maxPatchedTurns + slack ? patched.slice(-maxPatchedTurns) : patched;
}

/** Their numbers rise, so that a turn that is new is not looked for among all of them. */
function placeOf(turns: readonly CaptionedTurn[], turn: number): number {
  const at = turns.findLastIndex((known) => known.turn <= turn);
  return turns[at]?.turn === turn ? at : -1;
}
