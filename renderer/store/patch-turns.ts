import { patchCaption } from '../../shared/talk/caption-patch.ts';
import type { CaptionPatch, CaptionedTurn } from '../../shared/talk/caption-patch.ts';

/** Hours of talk; the oldest go first. */
const maxTurns = 2000;
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
  return patched.length > maxTurns + slack ? patched.slice(-maxTurns) : patched;
}

/** Their numbers rise, so that a turn that is new is not looked for among all of them. */
function placeOf(turns: readonly CaptionedTurn[], turn: number): number {
  const at = turns.findLastIndex((known) => known.turn <= turn);
  return turns[at]?.turn === turn ? at : -1;
}
