import { useEffect, useRef } from 'react';
import type { Listeners } from '../../shared/listeners.ts';
import type { TalkControls, TalkState, TalkLevel } from '../../shared/talk/talk-view.ts';
import { useAppContext, useUiState } from '../app/app-context.ts';
import { onFrameTick } from '../app/frame-tick.ts';
import {
  type CanvasColors,
  readCanvasColors,
  type CanvasSize,
  fitCanvas,
  redrawOnChange,
  repaintOnRequest,
} from '../design/canvas.ts';
import { voiceHeight } from './microphone-level-bar.tsx';

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

  // The session bar says the same in words.
  return <canvas ref={canvas} className="waveform" aria-hidden />;
}

/** Whether the microphone's sound goes out: not while muted, paused, or with the talk key up. */
function isSending({ talking, transmitting, muted, coughMuted, paused }: TalkControls): boolean {
  return !muted && !coughMuted && !paused && (talking === 'open' || transmitting);
}

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
  /** Whether the user's sound goes to the server. Otherwise it is not drawn. */
  readonly sends: boolean;
}

interface WaveformAnimation {
  readonly show: (state: WaveformState) => void;
  readonly stop: () => void;
}

/** With reduced motion, the waveform repaints this often. */
const reducedMotionMs = 200;

/** A still, silent or hidden waveform requests no frames. */
function animateWaveform(
  canvas: HTMLCanvasElement,
  levels: Listeners<TalkLevel>,
  now: () => number,
): WaveformAnimation {
  const pen = offscreenSurface(canvas).getContext('2d', { alpha: false });
  const histories = { you: new LevelHistory(), parley: new LevelHistory() };
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let state: WaveformState = { queue: undefined, present: false, sends: true };
  let stopMoving: (() => void) | undefined;
  let paintedAt = Number.NEGATIVE_INFINITY;
  let colors = readCanvasColors(canvas);

  const paint = (): void => {
    if (document.hidden || pen === null) return;
    const size = fitCanvas(canvas, pen);
    const time = now();
    // A paused replay stops the clock, and the last shape stays.
    const isClockStopped = time === paintedAt;
    paintedAt = time;
    paintWaveform(pen, size, { ...histories, ...state }, colors, time);
    const moves = !histories.you.isGone(time) || !histories.parley.isGone(time);
    if (moves && !isClockStopped) move();
  };
  const paintNext = (): void => {
    stopMoving = undefined;
    paint();
  };
  function move(): void {
    stopMoving ??= reducedMotion.matches
      ? after(reducedMotionMs, paintNext)
      : onFrameTick(paintNext);
  }
  const { request: requestPaint, cancel } = repaintOnRequest(paint);
  const refresh = (): void => {
    colors = readCanvasColors(canvas);
    requestPaint();
  };

  const unsubscribe = levels.add(({ who, rmsDb, halvesDb }) => {
    if (who === 'you' && !state.sends) return;
    const at = now();
    histories[who].push(rmsDb, at, halvesDb);
    if (!histories[who].isGone(at)) move();
  });
  const unwatch = redrawOnChange(canvas, refresh);
  // A hidden page does not paint, so the waveform catches up when the page is visible again.
  document.addEventListener('visibilitychange', requestPaint);
  requestPaint();
  return {
    show: (next) => {
      state = next;
      requestPaint();
    },
    stop: () => {
      unsubscribe();
      unwatch();
      document.removeEventListener('visibilitychange', requestPaint);
      cancel();
      stopMoving?.();
    },
  };
}

/** transferControlToOffscreen() works once per canvas, but an animation can restart. */
const surfaces = new WeakMap<HTMLCanvasElement, OffscreenCanvas>();

function offscreenSurface(canvas: HTMLCanvasElement): OffscreenCanvas {
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
  readonly queue: number | undefined;
  readonly present: boolean;
}

/** The share of the width that a voice covers: more than half, so that both overlap in the middle. */
const reachShare = 0.68;
const step = 3;
const voiceOpacity = 0.82;
const stubLength = 28;
/** Heights of the upper half, reused for the lower half; sized for the widest screens. */
const heights = new Float64Array(4096);

/** Paints one frame without allocating. */
function paintWaveform(
  pen: OffscreenCanvasRenderingContext2D,
  { width, height }: CanvasSize,
  { you, parley, queue, present }: WaveformScene,
  colors: CanvasColors,
  now: number,
): void {
  const middle = Math.round(height / 2);
  pen.fillStyle = colors.paper;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = colors.line;
  pen.fillRect(0, middle - 0.5, width, 1);
  if (queue !== undefined) {
    pen.fillStyle = colors.parley;
    const length = Math.max(stubLength, width * queue);
    pen.fillRect(width - length, middle - 2, length, 4);
    return;
  }
  pen.globalAlpha = voiceOpacity;
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

function paintVoice(
  pen: OffscreenCanvasRenderingContext2D,
  history: LevelHistory,
  side: Side,
): void {
  const { from, towards, width, height, color, now, present } = side;
  const middle = Math.round(height / 2);
  pen.fillStyle = color;
  // A live but silent voice shows a stub.
  if (present && history.isGone(now))
    pen.fillRect(towards === 1 ? from : from - stubLength, middle - 1.5, stubLength, 3);
  if (history.isGone(now)) return;
  const length = width * reachShare;
  const half = middle - 2;
  const last = Math.min(heights.length - 1, Math.floor(length / step));
  pen.beginPath();
  pen.moveTo(from, middle);
  for (let at = 0; at <= last; at += 1) {
    const height = half * history.thickness((at * step) / length, now);
    heights[at] = height;
    pen.lineTo(from + towards * at * step, middle - height);
  }
  for (let at = last; at >= 0; at -= 1)
    pen.lineTo(from + towards * at * step, middle + (heights[at] ?? 0));
  pen.closePath();
  pen.fill();
}

/** How long sound travels from the window's edge to the end of the waveform. */
const travelMs = 1700;
/** A level covers the 50 ms before it arrived, in two halves. */
const levelMs = 50;
const halfMs = levelMs / 2;
/** The waveform is drawn this late, so that the next level has arrived when it is needed. */
const lagMs = 2 * levelMs + 30;
/** The newest level fades out over this time if none follows. */
const fadeMs = 3 * levelMs;
/** A longer gap between levels counts as silence. */
const gapMs = 450;
const capacity = 96;
/** A level falls at most to this share of the one before, so that a single gap does not flicker. */
const minShare = 0.65;

/** The recent levels of one voice. Its waveform grows from the edge and thins out as it travels. */
export class LevelHistory {
  readonly #levels = new Float64Array(capacity);
  readonly #times = new Float64Array(capacity).fill(Number.NEGATIVE_INFINITY);
  #count = 0;
  #loudAt = Number.NEGATIVE_INFINITY;
  /** The last lookup. One frame looks up ever older times, so the next search starts here. */
  readonly #lastLookup = { time: Number.NEGATIVE_INFINITY, back: 1 };

  push(rmsDb: number, at: number, halvesDb?: readonly [number, number]): void {
    this.#lastLookup.time = Number.NEGATIVE_INFINITY;
    const latest = (this.#count - 1) % capacity;
    if (this.#count > 0 && at - (this.#times[latest] ?? at) > gapMs) {
      this.#add(0, (this.#times[latest] ?? at) + fadeMs);
      this.#add(0, at - levelMs);
    }
    this.#pushHalf(halvesDb?.[0] ?? rmsDb, at);
    this.#pushHalf(halvesDb?.[1] ?? rmsDb, at);
  }

  #pushHalf(halfDb: number, at: number): void {
    const before = this.#count === 0 ? 0 : (this.#levels[(this.#count - 1) % capacity] ?? 0);
    const level = Math.max(voiceHeight(halfDb), before * minShare);
    this.#add(level, at);
    this.#spreadTimes();
    if (level > 0.01) this.#loudAt = at;
  }

  #add(level: number, at: number): void {
    this.#levels[this.#count % capacity] = level;
    this.#times[this.#count % capacity] = at;
    this.#count += 1;
  }

  /** Several levels can arrive at once; the earlier ones are moved back to the time they cover. */
  #spreadTimes(): void {
    for (let back = 2; back <= Math.min(this.#count, capacity); back += 1) {
      const latest = (this.#times[(this.#count - back + 1) % capacity] ?? 0) - halfMs;
      const at = (this.#count - back) % capacity;
      if ((this.#times[at] ?? 0) <= latest) return;
      this.#times[at] = latest;
    }
  }

  /** The thickness from 0 to 1, at a distance from 0 (edge) to 1 (end of the waveform). */
  thickness(distance: number, now: number): number {
    const level = this.#levelAt(now - lagMs - distance * travelMs);
    return level * Math.sqrt(1 - distance) * (1 - 0.35 * distance);
  }

  /** Whether the last loud level has left the visible range. */
  isGone(now: number): boolean {
    return now - lagMs - travelMs > this.#loudAt + 100;
  }

  #levelAt(time: number): number {
    const lastLookup = this.#lastLookup;
    let back = time > lastLookup.time ? 1 : lastLookup.back;
    lastLookup.time = time;
    for (; back <= Math.min(this.#count, capacity); back += 1) {
      const at = (this.#count - back) % capacity;
      const before = this.#times[at] ?? 0;
      if (before > time) continue;
      lastLookup.back = back;
      const next = back === 1 ? undefined : (at + 1) % capacity;
      const from = this.#levels[at] ?? 0;
      if (next === undefined) return from * Math.max(0, 1 - (time - before) / fadeMs);
      const share = (time - before) / Math.max(1, (this.#times[next] ?? 0) - before);
      const eased = share * share * (3 - 2 * share);
      return from + ((this.#levels[next] ?? 0) - from) * eased;
    }
    lastLookup.back = back;
    return 0;
  }
}
