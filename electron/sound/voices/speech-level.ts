import { voiceBlockMs } from './block-levels.ts';

/** Below this nobody speaks, whatever the microphone. */
export const inaudibleDb = -55;
/** Speech that is quieter than this leaves the model little to hear. */
export const quietDb = -38;
/** What is so far below the loud parts of speech is the room, and no voice. */
const belowLoudDb = 35;
const fullScale = 32_767 / 32_768;
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
  return 10 * Math.log10(power / Math.max(1, spoken.length));
}

export function isClipped(samples: Float32Array): boolean {
  let count = 0;
  for (let n = 0; n < samples.length; n += 1) {
    if (Math.abs(samples[n] ?? 0) >= fullScale) count += 1;
  }
  return count > samples.length * clippedShare;
}
