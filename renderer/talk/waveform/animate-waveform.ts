import { onBeat } from '../../parts/screen-beat.ts';
import type { LevelFeed } from '../../store/level-feed.ts';
import { paintWaveform } from './paint-waveform.ts';
import type { WaveformColors } from './paint-waveform.ts';
import { LevelHistory } from './level-history.ts';

export interface WaveformState {
  readonly queue: number | undefined;
  readonly present: boolean;
  /** What the person says goes out; what nobody is sent is not shown as if it were. */
  readonly sends: boolean;
}

export interface WaveformAnimation {
  readonly show: (state: WaveformState) => void;
  readonly stop: () => void;
}

/** Where less motion is wanted, a picture stands for so long. */
const stillMs = 200;

/**
 * Paints on the screen's beat while something moves and rests when nothing does: an idle waveform, or one that hears
 * silence, asks for no picture at all, and neither does one that nobody can see.
 */
export function animateWaveform(
  canvas: HTMLCanvasElement,
  levels: LevelFeed,
  now: () => number,
): WaveformAnimation {
  const surface = surfaceOf(canvas);
  const pen = surface.getContext('2d', { alpha: false });
  const trails = { you: new LevelHistory(), parley: new LevelHistory() };
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let state: WaveformState = { queue: undefined, present: false, sends: true };
  let frame = 0;
  let stopMoving: (() => void) | undefined;
  let paintedAt = Number.NEGATIVE_INFINITY;
  let colors = readColors(canvas);

  const paint = (): void => {
    frame = 0;
    if (document.hidden) return;
    canvas.dataset['painted'] = `${Number(canvas.dataset['painted'] ?? 0) + 1}`;
    if (pen === null) return;
    const scale = devicePixelRatio;
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
    if (surface.width !== width || surface.height !== height) {
      surface.width = width;
      surface.height = height;
    }
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const time = now();
    // The time of a replay stands while it is paused, and whoever was heard last stays where they are.
    const stands = time === paintedAt;
    paintedAt = time;
    paintWaveform(pen, size, { ...trails, ...state }, colors, time);
    const moves = !trails.you.gone(time) || !trails.parley.gone(time);
    if (moves && !stands) move();
  };
  const moveOn = (): void => {
    stopMoving = undefined;
    paint();
  };
  function move(): void {
    stopMoving ??= still.matches ? after(stillMs, moveOn) : onBeat(moveOn);
  }
  const ask = (): void => {
    if (frame === 0) frame = requestAnimationFrame(paint);
  };
  const refresh = (): void => {
    colors = readColors(canvas);
    ask();
  };

  const leave = levels.subscribe(({ who, rmsDb, halvesDb }) => {
    if (who === 'you' && !state.sends) return;
    const at = now();
    trails[who].push(rmsDb, at, halvesDb);
    if (!trails[who].gone(at)) move();
  });
  const resized = new ResizeObserver(ask);
  resized.observe(canvas);
  const themed = new MutationObserver(refresh);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  dark.addEventListener('change', refresh);
  // Nothing was painted while nobody could see it.
  document.addEventListener('visibilitychange', ask);
  ask();
  return {
    show: (next) => {
      state = next;
      ask();
    },
    stop: () => {
      leave();
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener('change', refresh);
      document.removeEventListener('visibilitychange', ask);
      cancelAnimationFrame(frame);
      stopMoving?.();
    },
  };
}

/** A canvas gives its surface away once, and may be animated again. */
const surfaces = new WeakMap<HTMLCanvasElement, OffscreenCanvas>();

function surfaceOf(canvas: HTMLCanvasElement): OffscreenCanvas {
  const surface = surfaces.get(canvas) ?? canvas.transferControlToOffscreen();
  surfaces.set(canvas, surface);
  return surface;
}

function after(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => {
    clearTimeout(timer);
  };
}

/** A custom property would come back as it is written; these properties come back as colours. */
function readColors(canvas: HTMLCanvasElement): WaveformColors {
  const { color, caretColor, outlineColor, backgroundColor } = getComputedStyle(canvas);
  return { you: color, parley: caretColor, line: outlineColor, paper: backgroundColor };
}
