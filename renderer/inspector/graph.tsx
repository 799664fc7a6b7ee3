import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Listeners } from '../../shared/listeners.ts';
import type { ContextSpent, LatencyKind, OnlyListening } from '../../shared/talk/talk-stats.ts';
import { silentLevelDb } from '../../shared/talk/talk-view.ts';
import { useAppContext } from '../app/app-context.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';
import { type CanvasSize, fitCanvas, readCanvasColors, redrawOnChange } from '../design/canvas.ts';

export const graphKinds = ['buffer', 'latency', 'context', 'levels'] as const;
type GraphKind = (typeof graphKinds)[number];

const graphLines = {
  buffer: ['buffer', 'target'],
  latency: ['roundTrip', 'serverStep', 'wireToSound', 'micToWire', 'interruptToSilence'],
  context: ['tokens'],
  levels: ['you', 'parley'],
} as const satisfies Readonly<Record<GraphKind, readonly string[]>>;

type GraphLine = (typeof graphLines)[GraphKind][number];

const graphWindowMs = 60_000;

/** The context tokens spent by this session, and those left, if known. */
export interface ContextUse extends ContextSpent {
  readonly left: number | undefined;
}

/** The data of all graphs. It bypasses React, because levels arrive forty times a second. */
export class GraphFeed {
  readonly lines: Readonly<Record<GraphLine, TimeSeries>> = Object.fromEntries(
    Object.values(graphLines)
      .flat()
      .map((name) => [name, new TimeSeries(graphWindowMs)]),
  ) as Record<GraphLine, TimeSeries>;
  contextUse: ContextUse | undefined;
  unanswered: OnlyListening | undefined;
  readonly #subscribers = new Listeners<undefined>();

  readonly subscribe = (listener: () => void): (() => void) => this.#subscribers.add(listener);

  apply({ name, payload }: BridgeNotice, now: number): void {
    if (name === 'level') this.#pushLevel(this.lines[payload.who], payload.rmsDb, now);
    else if (name === 'talkLimits') {
      if (payload.tokens === undefined) return;
      this.lines.tokens.push(now, payload.tokens);
      if (this.contextUse !== undefined)
        this.contextUse = { ...this.contextUse, left: payload.tokens };
    } else if (name === 'talkStep') {
      if (payload.buffer !== undefined) {
        this.lines.buffer.push(now, payload.buffer.bufferMs);
        this.lines.target.push(now, payload.buffer.targetMs);
      }
      if (payload.context !== undefined)
        this.contextUse = { ...payload.context, left: this.lines.tokens.last };
      this.unanswered = payload.unanswered;
      for (const kind of graphLines.latency) this.#pushLatency(kind, payload.latest[kind], now);
    } else return;
    this.#subscribers.emit(undefined);
  }

  /** The core does not report a silence that goes on, so its level is held until the next report. */
  #pushLevel(line: TimeSeries, rmsDb: number, now: number): void {
    const { last } = line;
    if (last !== undefined && last < silentLevelDb) line.push(now, last);
    line.push(now, rmsDb);
  }

  #pushLatency(kind: LatencyKind & GraphLine, ms: number | undefined, now: number): void {
    if (ms !== undefined) this.lines[kind].push(now, ms);
  }
}

/** A value over time. Points older than the window are dropped in batches. */
export class TimeSeries {
  readonly #points: { readonly at: number; readonly value: number }[] = [];
  readonly #windowMs: number;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  push(at: number, value: number): void {
    this.#points.push({ at, value });
    const oldest = at - this.#windowMs;
    const expired = this.#points.findIndex((point) => point.at >= oldest);
    if (expired > 64) this.#points.splice(0, expired);
  }

  get last(): number | undefined {
    return this.#points.at(-1)?.value;
  }

  /** Oldest first, starting one point before the window, so that a line enters from the edge. */
  since(from: number): readonly { readonly at: number; readonly value: number }[] {
    const first = this.#points.findIndex((point) => point.at >= from);
    return first === -1 ? this.#points.slice(-1) : this.#points.slice(Math.max(0, first - 1));
  }
}

export function Graph({ kind, feed }: { readonly kind: GraphKind; readonly feed: GraphFeed }) {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const canvas = useRef<HTMLCanvasElement>(null);
  const values = useRef(new Map<GraphLine, HTMLElement>());
  useEffect(() => {
    if (canvas.current === null) return undefined;
    return animateGraph(canvas.current, kind, feed, now, (line, text) => {
      const element = values.current.get(line);
      if (element !== undefined && element.textContent !== text) element.textContent = text;
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

/** Per graph: the lower end of its axis, the smallest upper end, and the format of a value. */
const graphScales: Readonly<
  Record<GraphKind, { min: number; minMax: number; text: (value: number) => string }>
> = {
  buffer: { min: 0, minMax: 500, text: inMs },
  latency: { min: 0, minMax: 200, text: inMs },
  context: { min: 0, minMax: 8192, text: (value) => `${Math.round(value)}` },
  levels: { min: -60, minMax: 0, text: (value) => `${Math.round(value)} dB` },
};

/** Ten times a second is enough for a line that takes a minute to cross. */
const repaintMs = 100;

function animateGraph(
  canvas: HTMLCanvasElement,
  kind: GraphKind,
  feed: GraphFeed,
  now: () => number,
  showValue: (line: GraphLine, text: string) => void,
): () => void {
  const pen = canvas.getContext('2d');
  const names: readonly GraphLine[] = graphLines[kind];
  const { min, minMax, text } = graphScales[kind];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let visible = false;
  let isStale = true;

  const paint = (): void => {
    timer = undefined;
    isStale = false;
    const time = now();
    const lines = names.map((name) => feed.lines[name]);
    for (const name of names) {
      const { last } = feed.lines[name];
      if (last !== undefined) showValue(name, text(last));
    }
    if (pen === null) return;
    const size = fitCanvas(canvas, pen);
    const { you, parley, line, bad, more } = readCanvasColors(canvas);
    const inks = [you, parley, line, bad, more];
    const painted = lines.map((line, index) => ({ line, ink: inks[index % inks.length] ?? '' }));
    const range = graphRange(lines, time - graphWindowMs, min, minMax);
    paintGraph(pen, size, painted, range, { now: time, windowMs: graphWindowMs });
  };
  const requestPaint = (): void => {
    isStale = true;
    if (visible && !document.hidden) timer ??= setTimeout(paint, repaintMs);
  };
  const paintIfStale = (): void => {
    if (isStale) requestPaint();
  };

  const unsubscribe = feed.subscribe(requestPaint);
  const visibility = new IntersectionObserver(([entry]) => {
    visible = entry?.isIntersecting ?? false;
    paintIfStale();
  });
  visibility.observe(canvas);
  const unwatch = redrawOnChange(canvas, requestPaint);
  document.addEventListener('visibilitychange', paintIfStale);
  return () => {
    unsubscribe();
    clearTimeout(timer);
    visibility.disconnect();
    unwatch();
    document.removeEventListener('visibilitychange', paintIfStale);
  };
}

function inMs(value: number): string {
  return `${Math.round(value)} ms`;
}

interface GraphRange {
  readonly min: number;
  readonly max: number;
}

interface PaintedLine {
  readonly line: TimeSeries;
  readonly ink: string;
}

const margin = 3;

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
      const y = height - margin - share * (height - 2 * margin);
      if (index === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    }
    pen.stroke();
  }
}

/** From a fixed minimum to a round number, at least `minMax`, that no visible value exceeds. */
export function graphRange(
  lines: readonly TimeSeries[],
  from: number,
  min: number,
  minMax: number,
) {
  const values = lines.flatMap((line) => line.since(from).map(({ value }) => value));
  const highest = Math.max(minMax, ...values);
  const step = 10 ** Math.floor(Math.log10(highest - min || 1));
  return { min, max: min + Math.ceil((highest - min) / step) * step };
}
