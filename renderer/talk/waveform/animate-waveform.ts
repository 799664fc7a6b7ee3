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

/**
 * Paints while something moves and rests when nothing does: an idle waveform asks for no frame at all.
 * Where less motion is wanted it is painted anew with every fourth level only, and stands between.
 */
export function animateWaveform(
  canvas: HTMLCanvasElement,
  levels: LevelFeed,
  now: () => number,
): WaveformAnimation {
  const pen = canvas.getContext('2d');
  const trails = { you: new LevelHistory(), parley: new LevelHistory() };
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let state: WaveformState = { queue: undefined, present: false, sends: true };
  let asked = 0;
  let heard = 0;
  let paintedAt = Number.NEGATIVE_INFINITY;
  let colors = readColors(canvas);

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
    // The time of a replay stands while it is paused, and whoever was heard last stays where they are.
    const stands = time === paintedAt;
    paintedAt = time;
    paintWaveform(pen, size, { ...trails, ...state }, colors, time);
    const moves = !trails.you.gone(time) || !trails.parley.gone(time);
    if (moves && !stands && !still.matches) ask();
  };
  function ask(): void {
    if (asked === 0) asked = requestAnimationFrame(paint);
  }
  const refresh = (): void => {
    colors = readColors(canvas);
    ask();
  };

  const leave = levels.subscribe(({ who, rmsDb }) => {
    if (who === 'you' && !state.sends) return;
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
      state = next;
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
function readColors(canvas: HTMLCanvasElement): WaveformColors {
  const { color, caretColor, outlineColor } = getComputedStyle(canvas);
  return { you: color, parley: caretColor, line: outlineColor };
}
