import type { TapeUpsampler } from '../../electron/recordings/record/stereo-recorder.ts';

/** Repeats every second sample: the real filter would take most of a simulation's time. */
export function plainUpsampler(): TapeUpsampler {
  return {
    convert: (block) => {
      const converted = new Float32Array((block.length * 3) / 2);
      for (let n = 0, to = 0; n < block.length; n += 2, to += 3) {
        const first = block[n] ?? 0;
        converted[to] = first;
        converted[to + 1] = first;
        converted[to + 2] = block[n + 1] ?? 0;
      }
      return converted;
    },
    restart: () => undefined,
  };
}
