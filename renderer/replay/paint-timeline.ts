import type { TapeMark, TapeLevels, TapeTimeline } from '../../shared/recordings/replay-view.ts';
import {
  type CanvasColors,
  readCanvasColors,
  type CanvasSize,
  fitCanvas,
  redrawOnChange,
  repaintOnRequest,
} from '../design/canvas.ts';

export interface TimelineDrawing {
  readonly show: (timeline: TapeTimeline) => void;
  readonly stop: () => void;
}

export function drawTimeline(canvas: HTMLCanvasElement): TimelineDrawing {
  const pen = canvas.getContext('2d');
  let timeline: TapeTimeline | undefined;
  const repaint = repaintOnRequest(() => {
    if (pen === null || timeline === undefined) return;
    paintTimeline(pen, fitCanvas(canvas, pen), timeline, readCanvasColors(canvas));
  });
  const unwatch = redrawOnChange(canvas, repaint.request);
  return {
    show: (next) => {
      timeline = next;
      repaint.request();
    },
    stop: () => {
      unwatch();
      repaint.cancel();
    },
  };
}

const turnsHeight = 4;
const marksHeight = 14;
const gap = 4;
const markRadius = 4;
/** Opacity of the part whose sound is not decoded yet. Its turns are known from the tape's lines. */
const pendingOpacity = 0.4;

/** Paints everything except the cursor: once per size, theme and decoded piece, never per tick. */
function paintTimeline(
  pen: CanvasRenderingContext2D,
  { width, height }: CanvasSize,
  timeline: TapeTimeline,
  colors: CanvasColors,
): void {
  const { lengthMs, readyMs, turns, marks } = timeline;
  const ribbonHeight = height - turnsHeight - marksHeight - 2 * gap;
  const x = (at: number): number => (lengthMs === 0 ? 0 : (at / lengthMs) * width);
  pen.clearRect(0, 0, width, height);
  paintRibbon(pen, { width, height: ribbonHeight }, timeline, colors);
  for (const { from, to, cut } of turns) {
    pen.globalAlpha = from < readyMs ? 1 : pendingOpacity;
    pen.fillStyle = colors.parley;
    const top = ribbonHeight + gap;
    pen.fillRect(x(from), top, Math.max(2, x(to) - x(from)), turnsHeight);
    // A turn that was cut short ends in a notch.
    if (cut) pen.fillRect(x(to) - 1.5, top - 3, 3, turnsHeight + 6);
  }
  pen.globalAlpha = 1;
  // Pictures can number hundreds, so all other marks are painted over them.
  const pictures = marks.filter(({ kind }) => kind === 'picture');
  const others = marks.filter(({ kind }) => kind !== 'picture');
  for (const mark of [...pictures, ...others])
    paintMark(pen, mark, x(mark.at), height - marksHeight / 2, colors);
  pen.globalAlpha = 1;
}

function paintRibbon(
  pen: CanvasRenderingContext2D,
  { width, height }: CanvasSize,
  { ribbon, lengthMs, readyMs }: TapeTimeline,
  colors: CanvasColors,
): void {
  const middle = Math.round(height / 2);
  const columns = Math.max(1, Math.floor(width / 2));
  const { you, parley } = ribbonColumns(ribbon, lengthMs, columns);
  const step = width / columns;
  pen.fillStyle = colors.line;
  pen.fillRect(0, middle - 0.5, width, 1);
  for (let column = 0; column < columns; column += 1) {
    pen.globalAlpha = (column / columns) * lengthMs < readyMs ? 1 : pendingOpacity;
    const above = Math.round((you[column] ?? 0) * (middle - 1));
    const below = Math.round((parley[column] ?? 0) * (middle - 1));
    pen.fillStyle = colors.you;
    if (above > 0) pen.fillRect(column * step, middle - 1 - above, step * 0.75, above);
    pen.fillStyle = colors.parley;
    if (below > 0) pen.fillRect(column * step, middle + 1, step * 0.75, below);
  }
  pen.globalAlpha = 1;
}

/** Each kind has its own shape, so that the marks do not rely on colour. */
function paintMark(
  pen: CanvasRenderingContext2D,
  { kind }: TapeMark,
  x: number,
  y: number,
  colors: CanvasColors,
): void {
  const isProblem = kind === 'trouble' || kind === 'device';
  pen.fillStyle = isProblem ? colors.bad : colors.you;
  pen.strokeStyle = pen.fillStyle;
  pen.lineWidth = 1.5;
  pen.beginPath();
  switch (kind) {
    case 'interruption':
      pen.moveTo(x - markRadius, y - markRadius);
      pen.lineTo(x + markRadius, y - markRadius);
      pen.lineTo(x, y + markRadius);
      pen.closePath();
      pen.fill();
      return;
    case 'picture':
      pen.globalAlpha = 0.75;
      pen.fillRect(x - 2, y - 3, 4, 6);
      pen.globalAlpha = 1;
      return;
    case 'reconnect':
      pen.arc(x, y, markRadius, Math.PI * 0.25, Math.PI * 1.75);
      pen.stroke();
      return;
    case 'device':
      pen.rect(x - markRadius + 1, y - markRadius + 1, 2 * markRadius - 2, 2 * markRadius - 2);
      pen.stroke();
      return;
    case 'trouble':
      pen.moveTo(x, y - markRadius - 1);
      pen.lineTo(x + markRadius + 1, y);
      pen.lineTo(x, y + markRadius + 1);
      pen.lineTo(x - markRadius - 1, y);
      pen.closePath();
      pen.fill();
      return;
    case 'ending':
      pen.fillRect(x - 1, y - markRadius - 1, 2, 2 * markRadius + 2);
  }
}

/** Levels up to this, of 255, count as silence: a quiet room looks loud in decibels. */
const silenceLevel = 60;

/** The height of each voice per column, from 0 to 1, relative to the loudest level of both. */
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
  const levels = {
    you: loudestPerColumn(you, perColumn, columns),
    parley: loudestPerColumn(parley, perColumn, columns),
  };
  let loudest = silenceLevel;
  for (const level of levels.you) loudest = Math.max(loudest, level);
  for (const level of levels.parley) loudest = Math.max(loudest, level);
  const toHeight = (level: number): number =>
    level <= silenceLevel ? 0 : ((level - silenceLevel) / (loudest - silenceLevel)) ** 1.5;
  return { you: levels.you.map(toHeight), parley: levels.parley.map(toHeight) };
}

/** A column covers at least one point, so that a short tape in a wide window has no gaps. */
function loudestPerColumn(points: Uint8Array, perColumn: number, columns: number): Float32Array {
  const levels = new Float32Array(columns);
  for (let column = 0; column < columns; column += 1) {
    const from = Math.floor(column * perColumn);
    const to = Math.ceil((column + 1) * perColumn);
    let loudest = 0;
    for (let point = from; point < Math.min(to, points.length); point += 1)
      loudest = Math.max(loudest, points[point] ?? 0);
    levels[column] = loudest;
  }
  return levels;
}
