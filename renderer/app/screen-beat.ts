import { tellSafely } from '../../shared/listeners.ts';

/** Fifteen pictures a second: a quarter of what an engine would paint, and what flows is still seen to flow. */
const aloneMs = 1000 / 15;
/** Beside a video, which the engine paints by itself ten times a second, so that both together are twenty. */
const besideVideoMs = 1000 / 10;

const asked = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let lastAt = Number.NEGATIVE_INFINITY;
let videos = 0;

/** To be called where a video plays; what it returns is called once, when it does no more. */
export function slowBeatBesideVideo(): () => void {
  videos += 1;
  return () => {
    videos -= 1;
  };
}

/**
 * Runs once, on the next beat of the screen. All who ask for it run together, so that whatever moves of itself is
 * painted in one picture, fifteen times a second at most, or ten; where nobody asks nothing wakes up.
 */
export function onBeat(run: () => void): () => void {
  asked.add(run);
  timer ??= setTimeout(beat, untilNext(performance.now()));
  return () => {
    asked.delete(run);
  };
}

/** By the clock and not from the last one, which an engine runs a bit early or late. */
function untilNext(now: number): number {
  const beatMs = videos > 0 ? besideVideoMs : aloneMs;
  const rest = beatMs - (now % beatMs);
  return now + rest - lastAt < beatMs / 2 ? rest + beatMs : rest;
}

function beat(): void {
  timer = undefined;
  lastAt = performance.now();
  const now = [...asked];
  asked.clear();
  for (const run of now) tellSafely(run, undefined);
}

/** A page that is not drawn has no frames, and still has to be told. */
const unseenMs = 100;

/** Runs once, before the next time the page is drawn. */
export function nextFrame(run: () => void): void {
  const once = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, unseenMs);
}
