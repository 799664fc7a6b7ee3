/** Long enough for several breaks. */
export const rampSeconds = 10;
const lowest = 0.1;
const rise = 0.8 / rampSeconds;

export const rampValue = (second: number): number => lowest + rise * second;

const parts = rampSeconds * 50;

/**
 * Which fiftieths of a second of the ramp were never heard, in what was recorded. Where a sound comes or
 * goes its values are not those of the ramp, and change faster.
 */
export function unheardParts(recording: Float32Array, rate: number): readonly number[] {
  const heard = new Set<number>();
  const step = rate / 1000;
  const most = (rise / 1000) * 3;
  for (let at = step; at < recording.length; at += 1) {
    const value = recording[at] ?? 0;
    const changed = Math.abs(value - (recording[at - step] ?? 0));
    if (value > lowest && changed < most) heard.add(Math.floor(((value - lowest) / rise) * 50));
  }
  return Array.from({ length: parts }, (_, part) => part).filter((part) => !heard.has(part));
}
