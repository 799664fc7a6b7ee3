import type { LevelFeed } from '../store/levels.ts';
import { paintRibbon } from './ribbon-painter.ts';
import type { Inks } from './ribbon-painter.ts';
import { VoiceTrail } from './voice-trail.ts';

export interface RibbonWishes {
  readonly queue: number | undefined;
  readonly present: boolean;
}

export interface RunningRibbon {
  readonly show: (wishes: RibbonWishes) => void;
  readonly stop: () => void;
}

/**
 * Paints while something moves and rests when nothing does: an idle ribbon asks for no frame at all.
 * Where less motion is wanted it is painted anew with every fourth level only, and stands between.
 */
export function runRibbon(
  canvas: HTMLCanvasElement,
  levels: LevelFeed,
  now: () => number,
): RunningRibbon {
  const pen = canvas.getContext('2d');
  const trails = { you: new VoiceTrail(), parley: new VoiceTrail() };
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let wishes: RibbonWishes = { queue: undefined, present: false };
  let asked = 0;
  let heard = 0;
  let inks = readInks(canvas);

  const paint = (): void => {
    asked = 0;
    canvas.dataset['painted'] = `${Number(canvas.dataset['painted'] ?? 0) + 1}`;
    if (pen === null) return;
    const scale = devicePixelRatio;
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const time = now();
    paintRibbon(pen, size, { ...trails, ...wishes }, inks, time);
    const moves = !trails.you.gone(time) || !trails.parley.gone(time);
    if (moves && !still.matches) ask();
  };
  function ask(): void {
    if (asked === 0) asked = requestAnimationFrame(paint);
  }
  const refresh = (): void => {
    inks = readInks(canvas);
    ask();
  };

  const leave = levels.subscribe(({ who, rmsDb }) => {
    trails[who].push(rmsDb, now());
    heard += 1;
    if (!still.matches || heard % 4 === 0) ask();
  });
  const resized = new ResizeObserver(ask);
  resized.observe(canvas);
  const themed = new MutationObserver(refresh);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  dark.addEventListener('change', refresh);
  ask();
  return {
    show: (next) => {
      wishes = next;
      ask();
    },
    stop: () => {
      leave();
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener('change', refresh);
      cancelAnimationFrame(asked);
    },
  };
}

/** A custom property would come back as it is written; these properties come back as colours. */
function readInks(canvas: HTMLCanvasElement): Inks {
  const { color, caretColor, outlineColor } = getComputedStyle(canvas);
  return { you: color, parley: caretColor, line: outlineColor };
}
