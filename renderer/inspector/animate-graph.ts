import { graphLines, graphWindowMs } from './graph-feed.ts';
import type { GraphFeed, GraphKind, GraphLine } from './graph-feed.ts';
import { paintGraph, graphRange } from './paint-graph.ts';

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
export function animateGraph(
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
    canvas.dataset['painted'] = `${Number(canvas.dataset['painted'] ?? 0) + 1}`;
    if (pen === null) return;
    const scale = devicePixelRatio;
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    canvas.width = Math.round(size.width * scale);
    canvas.height = Math.round(size.height * scale);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const colors = readColors(canvas);
    const painted = lines.map((line, index) => ({
      line,
      ink: colors[index % colors.length] ?? '',
    }));
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
  const resized = new ResizeObserver(ask);
  resized.observe(canvas);
  const themed = new MutationObserver(ask);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  document.addEventListener('visibilitychange', wake);
  return () => {
    leave();
    clearTimeout(timer);
    seen.disconnect();
    resized.disconnect();
    themed.disconnect();
    document.removeEventListener('visibilitychange', wake);
  };
}

/** A custom property would come back as it is written; these properties come back as colours. */
function readColors(canvas: HTMLCanvasElement): readonly string[] {
  const { color, caretColor, outlineColor, textDecorationColor, columnRuleColor } =
    getComputedStyle(canvas);
  return [color, caretColor, outlineColor, textDecorationColor, columnRuleColor];
}

function inMs(value: number): string {
  return `${Math.round(value)} ms`;
}
