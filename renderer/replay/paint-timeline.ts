import type { TapeMark, TapeLevels, TapeTimeline } from '../../shared/recordings/replay-view.ts';
import {
  type CanvasInks,
  canvasInks,
  type CanvasSize,
  fitCanvas,
  watchCanvas,
} from '../design/canvas.ts';

export interface TimelineDrawing {
  readonly show: (timeline: TapeTimeline) => void;
  readonly stop: () => void;
}

/** Draws the timeline anew where it, its size or the theme is another one. */
export function drawTimeline(canvas: HTMLCanvasElement): TimelineDrawing {
  const pen = canvas.getContext('2d');
  let timeline: TapeTimeline | undefined;
  let asked = 0;

  const paint = (): void => {
    asked = 0;
    if (pen === null || timeline === undefined) return;
    paintTimeline(pen, fitCanvas(canvas, pen), timeline, canvasInks(canvas));
  };
  const ask = (): void => {
    if (asked === 0) asked = requestAnimationFrame(paint);
  };
  const unwatch = watchCanvas(canvas, ask);
  return {
    show: (next) => {
      timeline = next;
      ask();
    },
    stop: () => {
      unwatch();
      cancelAnimationFrame(asked);
    },
  };
}

/** From the top: the ribbon, the turns, the marks. The marks' row is as tall as they are. */
const turnsHeight = 4;
const marksHeight = 14;
const gap = 4;
const half = 4;
/** What only the lines say so far. */
const unmade = 0.4;

/** All of it but the cursor: once for each size, theme and piece of rendered tape, never for a tick. */
function paintTimeline(
  pen: CanvasRenderingContext2D,
  { width, height }: CanvasSize,
  timeline: TapeTimeline,
  colors: CanvasInks,
): void {
  const { lengthMs, readyMs, turns, marks } = timeline;
  const ribbonHeight = height - turnsHeight - marksHeight - 2 * gap;
  const x = (at: number): number => (lengthMs === 0 ? 0 : (at / lengthMs) * width);
  pen.clearRect(0, 0, width, height);
  paintRibbon(pen, { width, height: ribbonHeight }, timeline, colors);
  for (const { from, to, cut } of turns) {
    pen.globalAlpha = from < readyMs ? 1 : unmade;
    pen.fillStyle = colors.parley;
    const top = ribbonHeight + gap;
    pen.fillRect(x(from), top, Math.max(2, x(to) - x(from)), turnsHeight);
    // One that was cut short ends in a notch.
    if (cut) pen.fillRect(x(to) - 1.5, top - 3, 3, turnsHeight + 6);
  }
  pen.globalAlpha = 1;
  // Of pictures there may be hundreds: whatever else happened stands before them.
  const pictures = marks.filter(({ kind }) => kind === 'picture');
  const others = marks.filter(({ kind }) => kind !== 'picture');
  for (const mark of [...pictures, ...others])
    paintMark(pen, mark, x(mark.at), height - marksHeight / 2, colors);
  pen.globalAlpha = 1;
}

/** You above the line, Parley below it. */
function paintRibbon(
  pen: CanvasRenderingContext2D,
  { width, height }: CanvasSize,
  { ribbon, lengthMs, readyMs }: TapeTimeline,
  colors: CanvasInks,
): void {
  const middle = Math.round(height / 2);
  const columns = Math.max(1, Math.floor(width / 2));
  const { you, parley } = ribbonColumns(ribbon, lengthMs, columns);
  const step = width / columns;
  pen.fillStyle = colors.line;
  pen.fillRect(0, middle - 0.5, width, 1);
  for (let column = 0; column < columns; column += 1) {
    pen.globalAlpha = (column / columns) * lengthMs < readyMs ? 1 : unmade;
    const above = Math.round((you[column] ?? 0) * (middle - 1));
    const below = Math.round((parley[column] ?? 0) * (middle - 1));
    pen.fillStyle = colors.you;
    if (above > 0) pen.fillRect(column * step, middle - 1 - above, step * 0.75, above);
    pen.fillStyle = colors.parley;
    if (below > 0) pen.fillRect(column * step, middle + 1, step * 0.75, below);
  }
  pen.globalAlpha = 1;
}

/** Each kind has a shape of its own, so that nobody has to tell them by their colours. */
function paintMark(
  pen: CanvasRenderingContext2D,
  { kind }: TapeMark,
  x: number,
  y: number,
  colors: CanvasInks,
): void {
  const bad = kind === 'trouble' || kind === 'device';
  pen.fillStyle = bad ? colors.bad : colors.you;
  pen.strokeStyle = pen.fillStyle;
  pen.lineWidth = 1.5;
  pen.beginPath();
  switch (kind) {
    case 'interruption':
      pen.moveTo(x - half, y - half);
      pen.lineTo(x + half, y - half);
      pen.lineTo(x, y + half);
      pen.closePath();
      pen.fill();
      return;
    case 'picture':
      pen.globalAlpha = 0.75;
      pen.fillRect(x - 2, y - 3, 4, 6);
      pen.globalAlpha = 1;
      return;
    case 'reconnect':
      pen.arc(x, y, half, Math.PI * 0.25, Math.PI * 1.75);
      pen.stroke();
      return;
    case 'device':
      pen.rect(x - half + 1, y - half + 1, 2 * half - 2, 2 * half - 2);
      pen.stroke();
      return;
    case 'trouble':
      pen.moveTo(x, y - half - 1);
      pen.lineTo(x + half + 1, y);
      pen.lineTo(x, y + half + 1);
      pen.lineTo(x - half - 1, y);
      pen.closePath();
      pen.fill();
      return;
    case 'ending':
      pen.fillRect(x - 1, y - half - 1, 2, 2 * half + 2);
  }
}

/** Near silence: a quiet room, which in decibels looks loud. Of 255. */
const quiet = 60;

/** Of each voice the loudest in each column, from 0 to 1: as tall as the loudest word of both. */
export interface RibbonColumns {
  readonly you: Float32Array;
  readonly parley: Float32Array;
}

export function ribbonColumns(
  { everyMs, you, parley }: TapeLevels,
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
