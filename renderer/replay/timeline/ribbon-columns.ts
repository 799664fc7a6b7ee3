import type { FilmRibbon } from '../../../shared/replay/film-timeline.ts';

/** Near silence: a quiet room, which in decibels looks loud. Of 255. */
const quiet = 60;

/** Of each voice the loudest in each column, from 0 to 1: as tall as the loudest word of both. */
export interface RibbonColumns {
  readonly you: Float32Array;
  readonly parley: Float32Array;
}

export function ribbonColumns(
  { everyMs, you, parley }: FilmRibbon,
  lengthMs: number,
  columns: number,
): RibbonColumns {
  const perColumn = lengthMs / everyMs / Math.max(1, columns);
  const loud = {
    you: loudest(you, perColumn, columns),
    parley: loudest(parley, perColumn, columns),
  };
  let most = quiet;
  for (const level of loud.you) most = Math.max(most, level);
  for (const level of loud.parley) most = Math.max(most, level);
  const shareOf = (level: number): number =>
    level <= quiet ? 0 : ((level - quiet) / (most - quiet)) ** 1.5;
  return { you: loud.you.map(shareOf), parley: loud.parley.map(shareOf) };
}

/** A column has at least the point in which it lies, so that a short tape on a wide window has no gaps. */
function loudest(points: Uint8Array, perColumn: number, columns: number): Float32Array {
  const loud = new Float32Array(columns);
  for (let column = 0; column < columns; column += 1) {
    const from = Math.floor(column * perColumn);
    const to = Math.ceil((column + 1) * perColumn);
    let most = 0;
    for (let point = from; point < Math.min(to, points.length); point += 1)
      most = Math.max(most, points[point] ?? 0);
    loud[column] = most;
  }
  return loud;
}
