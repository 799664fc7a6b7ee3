import { failure } from '../../../shared/errors/app-error.ts';
import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { VoiceIssue } from '../../../shared/voices/stored-voice.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { blockLevels, voiceBlockMs } from './block-levels.ts';
import { maxReferenceSeconds, minReferenceSeconds } from './voice-limits.ts';

/** A reference voice as the server takes it. */
export interface PreparedVoice {
  /** 16 kHz mono. */
  readonly samples: Float32Array;
  readonly notes: readonly VoiceIssue[];
}

/** Below this nobody speaks, whatever the microphone. */
const inaudibleDb = -55;
/** Speech that is quieter than this leaves the model little to hear. */
const quietDb = -38;
/** What is so far below the loud parts of speech is the room, and no voice. */
const belowLoudDb = 35;
/** A breath before the first word and the last sound's end. */
const marginMs = 150;
/** Within so much of the maximum a pause is looked for, so that no word is cut. */
const pauseWithinMs = 4000;
const fadeMs = 10;
const fullScale = 32_767 / 32_768;
/** A peak that just touches full scale is no fault; a voice that was too loud stays there. */
const clippedShare = 0.0005;

/** Makes a reference voice of what was recorded: trimmed, not too long, and judged. */
export function prepareVoice(sound: Float32Array): Outcome<PreparedVoice> {
  const levels = blockLevels(sound, inputRate);
  const loud = loudLevel(levels);
  if (loud < inaudibleDb) {
    return failure('voiceUnheard');
  }
  const threshold = Math.max(inaudibleDb, loud - belowLoudDb);
  const spoken = trimmed(sound, levels, threshold);
  if (spoken.length < minReferenceSeconds * inputRate) {
    const seconds = Math.round((spoken.length / inputRate) * 10) / 10;
    return failure('voiceShort', { seconds, least: minReferenceSeconds });
  }
  const cut = spoken.length > maxReferenceSeconds * inputRate;
  const samples = cut ? cutAtPause(spoken) : spoken.slice();
  const notes: readonly VoiceIssue[] = [
    ...(speechLevel(levels, threshold) < quietDb ? (['quiet'] as const) : []),
    ...(clipped(samples) ? (['clipped'] as const) : []),
    ...(cut ? (['cut'] as const) : []),
  ];
  return { ok: true, value: { samples, notes } };
}

/** How loud the loudest half second is, wherever its parts are: a click is shorter. */
function loudLevel(levels: Float32Array): number {
  const half = Math.min(500 / voiceBlockMs, levels.length);
  return levels.toSorted()[levels.length - half] ?? inaudibleDb;
}

function trimmed(sound: Float32Array, levels: Float32Array, threshold: number): Float32Array {
  const frame = (inputRate * voiceBlockMs) / 1000;
  const margin = (inputRate * marginMs) / 1000;
  // Three in a row: a click or a knock is no beginning.
  const spoken = levels.map((level, n) =>
    Math.min(level, levels[n + 1] ?? level, levels[n + 2] ?? level),
  );
  const first = spoken.findIndex((level) => level >= threshold);
  const last = spoken.findLastIndex((level, n) => n + 2 < levels.length && level >= threshold) + 2;
  const end = last === levels.length - 1 ? sound.length : (last + 1) * frame;
  return sound.subarray(Math.max(0, first * frame - margin), end + margin);
}

/** Ends in the quietest place of the last seconds that are allowed, without a click. */
function cutAtPause(spoken: Float32Array): Float32Array {
  const frame = (inputRate * voiceBlockMs) / 1000;
  const maxSamples = maxReferenceSeconds * inputRate;
  const from = maxSamples - (pauseWithinMs * inputRate) / 1000;
  const levels = blockLevels(spoken.subarray(from, maxSamples), inputRate);
  const samples = spoken.slice(0, from + (quietestBlock(levels) + 1) * frame);
  const fade = (inputRate * fadeMs) / 1000;
  for (let n = 0; n < fade; n += 1) {
    const at = samples.length - 1 - n;
    samples[at] = ((samples[at] ?? 0) * n) / fade;
  }
  return samples;
}

/** The middle of the 200 ms in which it is quietest, the later ones where several are. */
function quietestBlock(levels: Float32Array): number {
  const width = 200 / voiceBlockMs;
  let [best, quietest] = [levels.length - 1, Infinity];
  for (let from = 0; from + width <= levels.length; from += 1) {
    let sum = 0;
    for (let at = from; at < from + width; at += 1) sum += levels[at] ?? 0;
    if (sum <= quietest) [best, quietest] = [from + width / 2, sum];
  }
  return best;
}

function speechLevel(levels: Float32Array, threshold: number): number {
  const spoken = levels.filter((level) => level >= threshold);
  const power = spoken.reduce((sum, level) => sum + 10 ** (level / 10), 0);
  return 10 * Math.log10(power / Math.max(1, spoken.length));
}

function clipped(samples: Float32Array): boolean {
  let count = 0;
  for (let n = 0; n < samples.length; n += 1) {
    if (Math.abs(samples[n] ?? 0) >= fullScale) count += 1;
  }
  return count > samples.length * clippedShare;
}
