/** Nothing is quieter: silence has no logarithm. */
const floorDb = -100;
/** The largest that a 16-bit converter has: that is where most microphones clip. */
export const fullScale = 32_767 / 32_768;

/** A mean square in dBFS; a square wave of full scale has 0. */
export function powerDb(power: number): number {
  return power > 0 ? Math.max(floorDb, 10 * Math.log10(power)) : floorDb;
}

/** How loud a block is as a whole; what is no number counts as silence. */
export function levelDb(block: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < block.length; n += 1) {
    const sample = block[n] ?? 0;
    if (Math.abs(sample) < Infinity) sum += sample * sample;
  }
  return powerDb(sum / block.length);
}

/** The sum of the squares of a stretch of sound. Multiplied and not raised: a power is a call wherever code has not run for long. */
export function energyOf(samples: Float32Array, from = 0, to = samples.length): number {
  let sum = 0;
  for (let n = from; n < to; n += 1) {
    const sample = samples[n] ?? 0;
    sum += sample * sample;
  }
  return sum;
}

/** Short enough that no syllable hides in one, long enough for the deepest voice. */
export const voiceBlockMs = 20;

/** How loud each 20 ms of a sound are, in dBFS; what is left over at the end counts to the last. */
export function blockLevels(samples: Float32Array, rate: number): Float32Array {
  const length = (rate * voiceBlockMs) / 1000;
  const levels = new Float32Array(Math.max(1, Math.floor(samples.length / length)));
  for (let frame = 0; frame < levels.length; frame += 1) {
    const from = frame * length;
    const to = frame === levels.length - 1 ? samples.length : from + length;
    levels[frame] = powerDb(energyOf(samples, from, to) / Math.max(1, to - from));
  }
  return levels;
}

/** Below this nobody speaks, whatever the microphone. */
export const inaudibleDb = -55;
/** Speech that is quieter than this leaves the model little to hear. */
export const quietDb = -38;
/** Sound this far below the loud parts of speech is the room, and no voice. */
const belowLoudDb = 35;
/** A peak that just touches full scale is no fault; a voice that was too loud stays there. */
const clippedShare = 0.0005;

/** How loud the loudest half second is, wherever its parts are: a click is shorter. */
export function loudLevel(levels: Float32Array): number {
  const half = Math.min(500 / voiceBlockMs, levels.length);
  return levels.toSorted()[levels.length - half] ?? inaudibleDb;
}

/** From here on it is speech, where it is as loud as that. */
export function speechThreshold(loud: number): number {
  return Math.max(inaudibleDb, loud - belowLoudDb);
}

export function speechLevel(levels: Float32Array, threshold: number): number {
  const spoken = levels.filter((level) => level >= threshold);
  const power = spoken.reduce((sum, level) => sum + 10 ** (level / 10), 0);
  return powerDb(power / Math.max(1, spoken.length));
}

export function isClipped(samples: Float32Array): boolean {
  let count = 0;
  for (let n = 0; n < samples.length; n += 1) {
    if (Math.abs(samples[n] ?? 0) >= fullScale) count += 1;
  }
  return count > samples.length * clippedShare;
}
