import type { LevelHistory } from './level-history.ts';

export interface WaveformColors {
  readonly you: string;
  readonly parley: string;
  readonly line: string;
  readonly paper: string;
}

export interface WaveformScene {
  readonly you: LevelHistory;
  readonly parley: LevelHistory;
  /** How much of the queue is behind us; nothing where nobody waits. */
  readonly queue: number | undefined;
  /** Somebody is there on either side. */
  readonly present: boolean;
}

/** How far a waveform reaches over the width: past the middle, so that two voices overlap there. */
const reach = 0.68;
const step = 3;
const overlapping = 0.82;
const stub = 28;
/** Of the half that is painted first, for the other; no screen is wider. */
const heights = new Float64Array(4096);

/** Paints one picture of the waveform; nothing is allocated for it. */
export function paintWaveform(
  pen: OffscreenCanvasRenderingContext2D,
  { width, height }: { readonly width: number; readonly height: number },
  { you, parley, queue, present }: WaveformScene,
  colors: WaveformColors,
  now: number,
): void {
  const middle = Math.round(height / 2);
  pen.fillStyle = colors.paper;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = colors.line;
  pen.fillRect(0, middle - 0.5, width, 1);
  if (queue !== undefined) {
    pen.fillStyle = colors.parley;
    const length = Math.max(stub, width * queue);
    pen.fillRect(width - length, middle - 2, length, 4);
    return;
  }
  pen.globalAlpha = overlapping;
  paintVoice(pen, you, { from: 0, towards: 1, width, height, color: colors.you, now, present });
  paintVoice(pen, parley, {
    from: width,
    towards: -1,
    width,
    height,
    color: colors.parley,
    now,
    present,
  });
  pen.globalAlpha = 1;
}

interface Side {
  readonly from: number;
  readonly towards: 1 | -1;
  readonly width: number;
  readonly height: number;
  readonly color: string;
  readonly now: number;
  readonly present: boolean;
}

function paintVoice(pen: OffscreenCanvasRenderingContext2D, trail: LevelHistory, side: Side): void {
  const { from, towards, width, height, color, now, present } = side;
  const middle = Math.round(height / 2);
  pen.fillStyle = color;
  // Where somebody is present, a bit of the waveform shows even in silence.
  if (present && trail.gone(now))
    pen.fillRect(towards === 1 ? from : from - stub, middle - 1.5, stub, 3);
  if (trail.gone(now)) return;
  const length = width * reach;
  const half = middle - 2;
  const last = Math.min(heights.length - 1, Math.floor(length / step));
  pen.beginPath();
  pen.moveTo(from, middle);
  for (let at = 0; at <= last; at += 1) {
    const height = half * trail.thickness((at * step) / length, now);
    heights[at] = height;
    pen.lineTo(from + towards * at * step, middle - height);
  }
  for (let at = last; at >= 0; at -= 1)
    pen.lineTo(from + towards * at * step, middle + (heights[at] ?? 0));
  pen.closePath();
  pen.fill();
}
