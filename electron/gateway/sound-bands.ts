/** How loud each band of a sound is, a frame after the other: what stays the same when it is played louder, or at another rate. */
export interface SoundBands {
  readonly frames: number;
  /** Logarithms, `bandCount` for each frame. */
  readonly levels: Float32Array;
  /** Louder than the sound's own quiet. */
  readonly voiced: readonly boolean[];
}

export const frameMs = 20;
export const bandCount = 14;
const lowestHz = 220;
const highestHz = 3400;
const sharpness = 4;
/** What is quieter than the loudest frame by more than this is as good as silent, whatever hums there. */
const rangeDb = 45;
const voicedDb = 30;

export function measureBands(samples: Float32Array, rate: number): SoundBands {
  const frame = Math.round((rate * frameMs) / 1000);
  const frames = Math.floor(samples.length / frame);
  const levels = new Float32Array(frames * bandCount);
  for (let band = 0; band < bandCount; band += 1) {
    const hz = lowestHz * (highestHz / lowestHz) ** (band / (bandCount - 1));
    fillBand(levels, band, samples, frame, (2 * Math.PI * hz) / rate);
  }
  let loudest = 0;
  for (const power of levels) loudest = Math.max(loudest, power);
  const floor = loudest * 10 ** (-rangeDb / 10) + Number.MIN_VALUE;
  const loud = bandCount * loudest * 10 ** (-voicedDb / 10);
  const voiced = Array.from({ length: frames }, (_frame, at) => {
    let sum = 0;
    for (let band = 0; band < bandCount; band += 1) sum += levels[at * bandCount + band] ?? 0;
    return loudest > 0 && sum >= loud;
  });
  for (const [n, power] of levels.entries()) levels[n] = Math.log(power + floor);
  return { frames, levels, voiced };
}

/** A band-pass of the second order, and the power of what it lets through. */
function fillBand(
  levels: Float32Array,
  band: number,
  samples: Float32Array,
  frame: number,
  turn: number,
): void {
  const alpha = Math.sin(turn) / (2 * sharpness);
  const gain = alpha / (1 + alpha);
  const back = (2 * Math.cos(turn)) / (1 + alpha);
  const twiceBack = (1 - alpha) / (1 + alpha);
  let [before, beforeThat, out, outBefore] = [0, 0, 0, 0];
  for (let at = 0, n = 0; (at + 1) * frame <= samples.length; at += 1) {
    let power = 0;
    for (const end = n + frame; n < end; n += 1) {
      const sample = samples[n] ?? 0;
      const next = gain * (sample - beforeThat) + back * out - twiceBack * outBefore;
      beforeThat = before;
      before = Number.isFinite(sample) ? sample : 0;
      outBefore = out;
      out = Number.isFinite(next) ? next : 0;
      power += out * out;
    }
    levels[at * bandCount + band] = power / frame;
  }
}
