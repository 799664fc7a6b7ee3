import { useEffect, useRef } from 'react';
import type { Listeners } from '../../shared/listeners.ts';
import type { TalkControls, TalkState } from '../../shared/talk/talk-state.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import { onBeat } from '../app/screen-beat.ts';
import { voiceHeight } from '../app/store.ts';
import { useAppContext, useUiState } from '../app/use-app-context.ts';
import {
  type CanvasInks,
  canvasInks,
  type CanvasSize,
  fitCanvas,
  watchCanvas,
} from '../design/canvas.ts';

/** The two voices: yours from the left edge, Parley's from the right. */
export function VoiceWaveform() {
  const { levels, now } = useAppContext();
  const state = useUiState(({ talkState }) => talkState.value);
  const sends = useUiState(({ controls }) => isSending(controls));
  const canvas = useRef<HTMLCanvasElement>(null);
  const running = useRef<WaveformAnimation>(undefined);

  useEffect(() => {
    if (canvas.current === null) return undefined;
    const started = animateWaveform(canvas.current, levels, now);
    running.current = started;
    return started.stop;
  }, [levels, now]);

  useEffect(() => {
    running.current?.show({ queue: queueProgress(state), present: state.phase === 'live', sends });
  }, [state, sends]);

  // What it shows is said in words by the session bar.
  return <canvas ref={canvas} className="waveform" aria-hidden />;
}

/** Muted, paused or with a key that is up, nothing of what the microphone hears goes anywhere. */
function isSending({ talking, transmitting, muted, coughMuted, paused }: TalkControls): boolean {
  return !muted && !coughMuted && !paused && (talking === 'open' || transmitting);
}

/** How much of the queue is behind us, as far as is known. */
export function queueProgress(state: TalkState): number | undefined {
  if (state.phase === 'connecting' || state.phase === 'reconnecting') return 0;
  if (state.phase !== 'queued') return undefined;
  const { position, length } = state;
  if (position === undefined || length === undefined) return 0;
  return Math.min(1, Math.max(0, 1 - position / (length + 1)));
}

export interface WaveformState {
  readonly queue: number | undefined;
  readonly present: boolean;
  /** What the person says goes out; what nobody is sent is not shown as if it were. */
  readonly sends: boolean;
}

interface WaveformAnimation {
  readonly show: (state: WaveformState) => void;
  readonly stop: () => void;
}

/** Where less motion is wanted, a picture stands for so long. */
const stillMs = 200;

/**
 * Paints on the screen's beat while something moves and rests when nothing does: an idle waveform, or one that hears
 * silence, asks for no picture at all, and neither does one that nobody can see.
 */
function animateWaveform(
  canvas: HTMLCanvasElement,
  levels: Listeners<TalkLevel>,
  now: () => number,
): WaveformAnimation {
  const pen = surfaceOf(canvas).getContext('2d', { alpha: false });
  const trails = { you: new LevelHistory(), parley: new LevelHistory() };
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let state: WaveformState = { queue: undefined, present: false, sends: true };
  let frame = 0;
  let stopMoving: (() => void) | undefined;
  let paintedAt = Number.NEGATIVE_INFINITY;
  let colors = canvasInks(canvas);

  const paint = (): void => {
    frame = 0;
    if (document.hidden) return;
    if (pen === null) return;
    const size = fitCanvas(canvas, pen);
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
    colors = canvasInks(canvas);
    ask();
  };

  const leave = levels.add(({ who, rmsDb, halvesDb }) => {
    if (who === 'you' && !state.sends) return;
    const at = now();
    trails[who].push(rmsDb, at, halvesDb);
    if (!trails[who].gone(at)) move();
  });
  const unwatch = watchCanvas(canvas, refresh);
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
      unwatch();
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
  return () => clearTimeout(timer);
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
function paintWaveform(
  pen: OffscreenCanvasRenderingContext2D,
  { width, height }: CanvasSize,
  { you, parley, queue, present }: WaveformScene,
  colors: CanvasInks,
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

/** How long a sound takes from the edge of the window to where the waveform ends. */
const travelMs = 1700;
/** A level stands for the 50 ms before it came, in two halves; painting a bit later always has one on either side. */
const levelMs = 50;
const halfMs = levelMs / 2;
/** It waits for the next of the core's messages and for the screen's beat. */
const behindMs = 2 * levelMs + 30;
/** The newest fades by itself where nothing follows. */
const fadesMs = 3 * levelMs;
/** Where nothing came for so long it was silent, or there was nobody to see it. */
const untoldMs = 450;
const capacity = 96;
/** What is left of a sound half a level later: a syllable falls as fast as it rose, a single gap does not flicker. */
const fading = 0.65;

/** The latest levels of one voice, as a waveform that grows from its edge and thins out on its way. */
export class LevelHistory {
  readonly #levels = new Float64Array(capacity);
  readonly #times = new Float64Array(capacity).fill(Number.NEGATIVE_INFINITY);
  #count = 0;
  #loudAt = Number.NEGATIVE_INFINITY;
  /** What was looked for last, and how far back it was found: a picture goes back in time from one side to the other. */
  readonly #sought = { time: Number.NEGATIVE_INFINITY, back: 1 };

  push(rmsDb: number, at: number, halvesDb?: readonly [number, number]): void {
    this.#sought.time = Number.NEGATIVE_INFINITY;
    const latest = (this.#count - 1) % capacity;
    if (this.#count > 0 && at - (this.#times[latest] ?? at) > untoldMs) {
      this.#add(0, (this.#times[latest] ?? at) + fadesMs);
      this.#add(0, at - levelMs);
    }
    this.#follow(halvesDb?.[0] ?? rmsDb, at);
    this.#follow(halvesDb?.[1] ?? rmsDb, at);
  }

  #follow(halfDb: number, at: number): void {
    const before = this.#count === 0 ? 0 : (this.#levels[(this.#count - 1) % capacity] ?? 0);
    const level = Math.max(voiceHeight(halfDb), before * fading);
    this.#add(level, at);
    this.#spread();
    if (level > 0.01) this.#loudAt = at;
  }

  #add(level: number, at: number): void {
    this.#levels[this.#count % capacity] = level;
    this.#times[this.#count % capacity] = at;
    this.#count += 1;
  }

  /** Two halves come at once, on a busy machine several levels: those before the newest are of the time before it. */
  #spread(): void {
    for (let back = 2; back <= Math.min(this.#count, capacity); back += 1) {
      const latest = (this.#times[(this.#count - back + 1) % capacity] ?? 0) - halfMs;
      const at = (this.#count - back) % capacity;
      if ((this.#times[at] ?? 0) <= latest) return;
      this.#times[at] = latest;
    }
  }

  /** From 0 to 1; `distance` from 0 at the edge to 1 where the waveform ends. */
  thickness(distance: number, now: number): number {
    const level = this.#levelAt(now - behindMs - distance * travelMs);
    return level * Math.sqrt(1 - distance) * (1 - 0.35 * distance);
  }

  /** Nothing of it is in sight any more. */
  gone(now: number): boolean {
    return now - behindMs - travelMs > this.#loudAt + 100;
  }

  #levelAt(time: number): number {
    const sought = this.#sought;
    let back = time > sought.time ? 1 : sought.back;
    sought.time = time;
    for (; back <= Math.min(this.#count, capacity); back += 1) {
      const at = (this.#count - back) % capacity;
      const before = this.#times[at] ?? 0;
      if (before > time) continue;
      sought.back = back;
      const next = back === 1 ? undefined : (at + 1) % capacity;
      const from = this.#levels[at] ?? 0;
      if (next === undefined) return from * Math.max(0, 1 - (time - before) / fadesMs);
      const share = (time - before) / Math.max(1, (this.#times[next] ?? 0) - before);
      const eased = share * share * (3 - 2 * share);
      return from + ((this.#levels[next] ?? 0) - from) * eased;
    }
    sought.back = back;
    return 0;
  }
}
