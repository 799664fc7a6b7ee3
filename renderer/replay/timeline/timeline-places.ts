import type { TFunction } from 'i18next';
import type { FilmMark, FilmTimeline, FilmTurn } from '../../../shared/replay/film-timeline.ts';
import { errorText } from '../../parts/error-text.ts';

/** The mark that is nearest, of those no further away than that. */
export function markNear(
  marks: readonly FilmMark[],
  at: number,
  withinMs: number,
): FilmMark | undefined {
  let nearest: FilmMark | undefined;
  for (const mark of marks) {
    const away = Math.abs(mark.at - at);
    if (away > withinMs) continue;
    if (nearest === undefined || away < Math.abs(nearest.at - at)) nearest = mark;
  }
  return nearest;
}

function turnAt(turns: readonly FilmTurn[], at: number): FilmTurn | undefined {
  return turns.find(({ from, to }) => from <= at && at <= to);
}

/** What is there, in words; nothing where nothing is. */
export function placeText(
  t: TFunction,
  { marks, turns }: FilmTimeline,
  at: number,
  withinMs: number,
): string | undefined {
  const mark = markNear(marks, at, withinMs);
  if (mark !== undefined) {
    const { kind, error } = mark;
    const name = t(`replay.marks.${kind}`);
    return error === undefined
      ? name
      : t('replay.marks.because', { name, why: errorText(t, error) });
  }
  const turn = turnAt(turns, at);
  if (turn === undefined) return undefined;
  return t(turn.cut ? 'replay.marks.cutTurn' : 'replay.marks.turn');
}
