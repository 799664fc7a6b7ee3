import type { FilmTimeline } from '../../../shared/replay/film-timeline.ts';
import { paintTimeline } from './paint-timeline.ts';
import type { TimelineColors } from './paint-timeline.ts';

export interface TimelineDrawing {
  readonly show: (timeline: FilmTimeline) => void;
  readonly stop: () => void;
}

/** Draws the timeline anew where it, its size or the theme is another one. */
export function drawTimeline(canvas: HTMLCanvasElement): TimelineDrawing {
  const pen = canvas.getContext('2d');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let timeline: FilmTimeline | undefined;
  let asked = 0;

  const paint = (): void => {
    asked = 0;
    if (pen === null || timeline === undefined) return;
    canvas.dataset['painted'] = `${Number(canvas.dataset['painted'] ?? 0) + 1}`;
    const scale = devicePixelRatio;
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    canvas.width = Math.round(size.width * scale);
    canvas.height = Math.round(size.height * scale);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    paintTimeline(pen, size, timeline, readColors(canvas));
  };
  const ask = (): void => {
    if (asked === 0) asked = requestAnimationFrame(paint);
  };
  const resized = new ResizeObserver(ask);
  resized.observe(canvas);
  const themed = new MutationObserver(ask);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast'] });
  dark.addEventListener('change', ask);
  return {
    show: (next) => {
      timeline = next;
      ask();
    },
    stop: () => {
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener('change', ask);
      cancelAnimationFrame(asked);
    },
  };
}

/** A custom property would come back as it is written; these properties come back as colours. */
function readColors(canvas: HTMLCanvasElement): TimelineColors {
  const { color, caretColor, outlineColor, textDecorationColor } = getComputedStyle(canvas);
  return { you: color, parley: caretColor, line: outlineColor, bad: textDecorationColor };
}
