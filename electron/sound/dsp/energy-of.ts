/** The sum of the squares of a stretch of sound. Multiplied and not raised: a power is a call wherever code has not run for long. */
export function energyOf(samples: Float32Array, from = 0, to = samples.length): number {
  let sum = 0;
  for (let n = from; n < to; n += 1) {
    const sample = samples[n] ?? 0;
    sum += sample * sample;
  }
  return sum;
}
