import { energyOf } from '../dsp/energy-of.ts';

/** Short enough that no syllable hides in one, long enough for the deepest voice. */
export const voiceBlockMs = 20;

/** How loud each 20 ms of a sound are, in dBFS; what is left over at the end counts to the last. */
export function blockLevels(samples: Float32Array, rate: number): Float32Array {
  const length = (rate * voiceBlockMs) / 1000;
  const levels = new Float32Array(Math.max(1, Math.floor(samples.length / length)));
  for (let frame = 0; frame < levels.length; frame += 1) {
    const from = frame * length;
    const to = frame === levels.length - 1 ? samples.length : from + length;
    const power = energyOf(samples, from, to);
    levels[frame] = 10 * Math.log10(power / Math.max(1, to - from) + silence);
  }
  return levels;
}

/** -100 dB: silence has no logarithm. */
const silence = 1e-10;
