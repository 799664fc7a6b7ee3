import type { TimeSeries } from './time-series.ts';

export interface GraphRange {
  readonly min: number;
  readonly max: number;
}

export interface PaintedLine {
  readonly line: TimeSeries;
  readonly ink: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const edge = 3;

/** The last while, with now at the right edge. */
export function paintGraph(
  pen: CanvasRenderingContext2D,
  { width, height }: Size,
  lines: readonly PaintedLine[],
  range: GraphRange,
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): void {
  pen.clearRect(0, 0, width, height);
  pen.lineWidth = 1.5;
  pen.lineJoin = 'round';
  const span = Math.max(1e-9, range.max - range.min);
  for (const { line, ink } of lines) {
    pen.strokeStyle = ink;
    pen.beginPath();
    for (const [index, { at, value }] of line.since(now - windowMs).entries()) {
      const x = width - ((now - at) / windowMs) * width;
      const share = Math.min(1, Math.max(0, (value - range.min) / span));
      const y = height - edge - share * (height - 2 * edge);
      if (index === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    }
    pen.stroke();
  }
}

/** From a fixed floor to a round number above everything that is seen. */
export function graphRange(
  lines: readonly TimeSeries[],
  from: number,
  least: number,
  atLeast: number,
) {
  const values = lines.flatMap((line) => line.since(from).map(({ value }) => value));
  const highest = Math.max(atLeast, ...values);
  const step = 10 ** Math.floor(Math.log10(highest - least || 1));
  return { min: least, max: least + Math.ceil((highest - least) / step) * step };
}
