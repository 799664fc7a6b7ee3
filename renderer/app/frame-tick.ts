import { callListener } from '../../shared/listeners.ts';

/** 15 ticks a second, a quarter of a display's 60 Hz. Motion still looks smooth. */
const normalIntervalMs = 1000 / 15;
/**
 * A playing video makes the engine paint 10 times a second. With 10 ticks, the page paints at most 20 times a second.
 */
const videoIntervalMs = 1000 / 10;

const callbacks = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let lastTickAt = Number.NEGATIVE_INFINITY;
let playingVideos = 0;

/** Slows the ticks while a video plays. Call the result once when it stops. */
export function throttleWithVideo(): () => void {
  playingVideos += 1;
  return () => {
    playingVideos -= 1;
  };
}

/** Runs once on the next tick. All callbacks of a tick share one paint. No timer runs without callbacks. */
export function onFrameTick(run: () => void): () => void {
  callbacks.add(run);
  timer ??= setTimeout(tick, msUntilNextTick(performance.now()));
  return () => {
    callbacks.delete(run);
  };
}

/**
 * Ticks fall on multiples of the interval, so a timer that fires late does not delay the ticks after it. After a timer
 * that fired early, the multiple just ahead is skipped.
 */
function msUntilNextTick(now: number): number {
  const intervalMs = playingVideos > 0 ? videoIntervalMs : normalIntervalMs;
  const remainingMs = intervalMs - (now % intervalMs);
  return now + remainingMs - lastTickAt < intervalMs / 2 ? remainingMs + intervalMs : remainingMs;
}

function tick(): void {
  timer = undefined;
  lastTickAt = performance.now();
  const due = [...callbacks];
  callbacks.clear();
  for (const run of due) callListener(run, undefined);
}

/** A hidden page gets no animation frames but must still handle notices. */
const hiddenFrameMs = 100;

export function nextFrame(run: () => void): void {
  const once = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, hiddenFrameMs);
}
