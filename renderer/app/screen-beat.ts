import { callListener } from '../../shared/listeners.ts';

/** 15 frames a second: a quarter of the display rate, and motion still looks smooth. */
const normalBeatMs = 1000 / 15;
/** The engine paints a video 10 times a second; together with it, 20 frames a second are painted. */
const besideVideoMs = 1000 / 10;

const callbacks = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let lastAt = Number.NEGATIVE_INFINITY;
let videos = 0;

/** Call it while a video plays, and call the result once afterwards. */
export function slowBeatBesideVideo(): () => void {
  videos += 1;
  return () => {
    videos -= 1;
  };
}

/** Runs once on the next beat. All callbacks of a beat share one paint; without any, no timer runs. */
export function onBeat(run: () => void): () => void {
  callbacks.add(run);
  timer ??= setTimeout(beat, untilNext(performance.now()));
  return () => {
    callbacks.delete(run);
  };
}

/** Aligned to the clock, because engines fire timers slightly early or late. */
function untilNext(now: number): number {
  const beatMs = videos > 0 ? besideVideoMs : normalBeatMs;
  const rest = beatMs - (now % beatMs);
  return now + rest - lastAt < beatMs / 2 ? rest + beatMs : rest;
}

function beat(): void {
  timer = undefined;
  lastAt = performance.now();
  const now = [...callbacks];
  callbacks.clear();
  for (const run of now) callListener(run, undefined);
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
