/** Long enough for several breaks. */
export const rampSeconds = 10;
const lowestLevel = 0.1;
const risePerSecond = 0.8 / rampSeconds;

export const rampValue = (second: number): number => lowestLevel + risePerSecond * second;

const parts = rampSeconds * 50;

interface RampParts {
  readonly never: number;
  readonly twice: number;
}

/**
 * How many fiftieths of a second of the ramp were never captured, and how many more than once. Fades change
 * faster than the ramp and are excluded.
 */
export function partsOfRamp(recording: Float32Array, rate: number): RampParts {
  const heard = Array.from({ length: parts }, () => 0);
  const step = rate / 1000;
  const maxChanged = (risePerSecond / 1000) * 3;
  for (let at = step; at < recording.length; at += 1) {
    const value = recording[at] ?? 0;
    const changed = Math.abs(value - (recording[at - step] ?? 0));
    if (value <= lowestLevel || changed >= maxChanged) continue;
    const part = Math.floor(((value - lowestLevel) / risePerSecond) * 50);
    heard[part] = (heard[part] ?? 0) + 1;
  }
  const expected = rate / 50;
  return {
    never: heard.slice(0, parts).filter((count) => count === 0).length,
    twice: heard.filter((count) => count > expected * 1.5).length,
  };
}
