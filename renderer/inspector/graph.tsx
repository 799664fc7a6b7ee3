import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppContext } from '../app/use-app-context.ts';
import { canvasInks, type CanvasSize, fitCanvas, watchCanvas } from '../design/canvas.ts';
import {
  type GraphFeed,
  type GraphKind,
  type GraphLine,
  graphLines,
  graphWindowMs,
  type TimeSeries,
} from './graph-feed.ts';

/** One graph with its lines' names and what they are now. */
export function Graph({ kind, feed }: { readonly kind: GraphKind; readonly feed: GraphFeed }) {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const canvas = useRef<HTMLCanvasElement>(null);
  const values = useRef(new Map<GraphLine, HTMLElement>());
  useEffect(() => {
    if (canvas.current === null) return undefined;
    return animateGraph(canvas.current, kind, feed, now, (line, text) => {
      const place = values.current.get(line);
      if (place !== undefined && place.textContent !== text) place.textContent = text;
    });
  }, [kind, feed, now]);
  return (
    <figure className="graph">
      <figcaption>
        <span className="graph-name">{t(`inspector.graphs.${kind}`)}</span>
        <span className="graph-lines">
          {graphLines[kind].map((line, index) => (
            <span key={line} className="graph-line" data-ink={index}>
              {t(`inspector.lines.${line}`)}{' '}
              <span
                ref={(element) => {
                  if (element === null) values.current.delete(line);
                  else values.current.set(line, element);
                }}
              />
            </span>
          ))}
        </span>
      </figcaption>
      <canvas ref={canvas} aria-hidden />
    </figure>
  );
}

/** Where each kind begins, how far it reaches at least, and how a value of it is written. */
const kinds: Readonly<
  Record<GraphKind, { min: number; minMax: number; text: (value: number) => string }>
> = {
  buffer: { min: 0, minMax: 500, text: inMs },
  latency: { min: 0, minMax: 200, text: inMs },
  context: { min: 0, minMax: 8192, text: (value) => `${Math.round(value)}` },
  levels: { min: -60, minMax: 0, text: (value) => `${Math.round(value)} dB` },
};

/** Ten times a second is enough for a line that needs a minute to cross. */
const everyMs = 100;

/** Paints when something new has come and somebody can see it, and else not at all. */
function animateGraph(
  canvas: HTMLCanvasElement,
  kind: GraphKind,
  feed: GraphFeed,
  now: () => number,
  say: (line: GraphLine, text: string) => void,
): () => void {
  const pen = canvas.getContext('2d');
  const names: readonly GraphLine[] = graphLines[kind];
  const { min, minMax, text } = kinds[kind];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let visible = false;
  let due = true;

  const paint = (): void => {
    timer = undefined;
    due = false;
    const time = now();
    const lines = names.map((name) => feed.lines[name]);
    for (const name of names) {
      const { last } = feed.lines[name];
      if (last !== undefined) say(name, text(last));
    }
    if (pen === null) return;
    const size = fitCanvas(canvas, pen);
    const { you, parley, line, bad, more } = canvasInks(canvas);
    const inks = [you, parley, line, bad, more];
    const painted = lines.map((line, index) => ({ line, ink: inks[index % inks.length] ?? '' }));
    const range = graphRange(lines, time - graphWindowMs, min, minMax);
    paintGraph(pen, size, painted, range, { now: time, windowMs: graphWindowMs });
  };
  const ask = (): void => {
    due = true;
    if (visible && !document.hidden) timer ??= setTimeout(paint, everyMs);
  };
  const wake = (): void => {
    if (due) ask();
  };

  const leave = feed.subscribe(ask);
  const seen = new IntersectionObserver(([entry]) => {
    visible = entry?.isIntersecting ?? false;
    wake();
  });
  seen.observe(canvas);
  const unwatch = watchCanvas(canvas, ask);
  document.addEventListener('visibilitychange', wake);
  return () => {
    leave();
    clearTimeout(timer);
    seen.disconnect();
    unwatch();
    document.removeEventListener('visibilitychange', wake);
  };
}

function inMs(value: number): string {
  return `${Math.round(value)} ms`;
}

export interface GraphRange {
  readonly min: number;
  readonly max: number;
}

export interface PaintedLine {
  readonly line: TimeSeries;
  readonly ink: string;
}

const edge = 3;

/** The last while, with now at the right edge. */
function paintGraph(
  pen: CanvasRenderingContext2D,
  { width, height }: CanvasSize,
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
