import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { VoiceIssue } from '../../../shared/settings/stored-voice.ts';
import {
  blockLevels,
  inaudibleDb,
  isClipped,
  loudLevel,
  quietDb,
  speechLevel,
  speechThreshold,
  voiceBlockMs,
} from '../../audio/dsp/loudness.ts';

export interface PreparedVoice {
  /** 16 kHz mono. */
  readonly samples: Float32Array;
  readonly notes: readonly VoiceIssue[];
}

const marginMs = 150;
/** A long recording is cut at a pause in the last part before the limit, so that no word is cut. */
const pauseWithinMs = 4000;
const fadeMs = 10;

/** Turns a recording into a reference voice: trims, shortens and judges it. */
export function prepareVoice(sound: Float32Array): Outcome<PreparedVoice> {
  const levels = blockLevels(sound, inputRate);
  const loudDb = loudLevel(levels);
  if (loudDb < inaudibleDb) {
    return failure('voiceUnheard');
  }
  const threshold = speechThreshold(loudDb);
  const spoken = trimSilence(sound, levels, threshold);
  if (spoken.length < minReferenceSeconds * inputRate) {
    const seconds = Math.round((spoken.length / inputRate) * 10) / 10;
    return failure('voiceShort', { seconds, least: minReferenceSeconds });
  }
  const isTooLong = spoken.length > maxReferenceSeconds * inputRate;
  const samples = isTooLong ? cutAtPause(spoken) : spoken.slice();
  const notes: readonly VoiceIssue[] = [
    ...(speechLevel(levels, threshold) < quietDb ? (['quiet'] as const) : []),
    ...(isClipped(samples) ? (['clipped'] as const) : []),
    ...(isTooLong ? (['cut'] as const) : []),
  ];
  return { ok: true, value: { samples, notes } };
}

function trimSilence(sound: Float32Array, levels: Float32Array, threshold: number): Float32Array {
  const blockSamples = (inputRate * voiceBlockMs) / 1000;
  const margin = (inputRate * marginMs) / 1000;
  // Three blocks in a row; a click is shorter.
  const spoken = levels.map((level, n) =>
    Math.min(level, levels[n + 1] ?? level, levels[n + 2] ?? level),
  );
  const first = spoken.findIndex((level) => level >= threshold);
  const last = spoken.findLastIndex((level, n) => n + 2 < levels.length && level >= threshold) + 2;
  const end = last === levels.length - 1 ? sound.length : (last + 1) * blockSamples;
  return sound.subarray(Math.max(0, first * blockSamples - margin), end + margin);
}

/** Cuts at the quietest place within the last allowed seconds, with a fade. */
function cutAtPause(spoken: Float32Array): Float32Array {
  const blockSamples = (inputRate * voiceBlockMs) / 1000;
  const maxSamples = maxReferenceSeconds * inputRate;
  const from = maxSamples - (pauseWithinMs * inputRate) / 1000;
  const levels = blockLevels(spoken.subarray(from, maxSamples), inputRate);
  const samples = spoken.slice(0, from + (quietestBlock(levels) + 1) * blockSamples);
  const fade = (inputRate * fadeMs) / 1000;
  for (let n = 0; n < fade; n += 1) {
    const at = samples.length - 1 - n;
    samples[at] = ((samples[at] ?? 0) * n) / fade;
  }
  return samples;
}

/** Returns the middle of the quietest 200 ms; if several are equally quiet, of the last. */
function quietestBlock(levels: Float32Array): number {
  const width = 200 / voiceBlockMs;
  let [quietestIndex, minSum] = [levels.length - 1, Infinity];
  for (let from = 0; from + width <= levels.length; from += 1) {
    let sum = 0;
    for (let at = from; at < from + width; at += 1) sum += levels[at] ?? 0;
    if (sum <= minSum) [quietestIndex, minSum] = [from + width / 2, sum];
  }
  return quietestIndex;
}

/** Undocumented limits: a shorter voice has too few sounds; a longer one uses the model's context. */
const minReferenceSeconds = 3;
const maxReferenceSeconds = 15;

/** A recording may begin and end with silence, which is trimmed. */
export const maxRecordingSeconds = 20;

/** An import may be longer; its beginning is used. */
export const maxImportSeconds = 120;
