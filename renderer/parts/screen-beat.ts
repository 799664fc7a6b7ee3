import { tellSafely } from '../../shared/listeners.ts';

/** Fifteen pictures a second: a quarter of what an engine would paint, and what flows is still seen to flow. */
const beatMs = 1000 / 15;

const asked = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let lastAt = Number.NEGATIVE_INFINITY;

/**
 * Runs once, on the next beat of the screen. All who ask for it run together, so that whatever moves of itself is
 * painted in one picture, fifteen times a second at most; where nobody asks nothing wakes up.
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
