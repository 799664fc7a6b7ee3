import { energyOf } from './loudness.ts';

/** Range of a pitch period, from a child's voice (400 Hz) to a deep man's (67 Hz). */
const minMs = 2.5;
const maxMs = 15;
/** The coarse search uses samples at about this rate, which suffices because voices are low. */
const coarseRate = 8000;

export interface PeriodRange {
  readonly min: number;
  readonly max: number;
  /** Step of the coarse search, in samples. */
  readonly stride: number;
}

export function periodRange(rate: number): PeriodRange {
  const samples = (ms: number): number => Math.max(2, Math.round((ms * rate) / 1000));
  const stride = Math.max(1, Math.floor(rate / coarseRate));
  return { min: samples(minMs), max: samples(maxMs), stride };
}

export interface PitchPeriod {
  readonly length: number;
  /** From 0 to 1: the similarity of adjacent periods. */
  readonly similarity: number;
}

/** Finds the lag at which the last `window` samples repeat best. */
export function periodAtEnd(
  samples: Float32Array,
  range: PeriodRange,
  window: number,
): PitchPeriod {
  return findBest(range, (length, stride) =>
    similarityAtLag(samples, samples.length, length, window, stride),
  );
}

/** Finds the period at which the sound from `start` on repeats best; two periods must fit. */
export function periodAfter(samples: Float32Array, start: number, range: PeriodRange): PitchPeriod {
  return findBest(range, (length, stride) =>
    similarityAtLag(samples, start + 2 * length, length, length, stride),
  );
}

type SimilarityAt = (length: number, stride: number) => number;

/** Searches coarsely, then to the sample around the best match. */
function findBest({ min, max, stride }: PeriodRange, similarityAt: SimilarityAt): PitchPeriod {
  const coarse = findBestWithin(min, max, stride, similarityAt);
  if (stride === 1) return coarse;
  const from = Math.max(min, coarse.length - stride + 1);
  return findBestWithin(from, Math.min(max, coarse.length + stride - 1), 1, similarityAt);
}

function findBestWithin(
  from: number,
  to: number,
  stride: number,
  similarityAt: SimilarityAt,
): PitchPeriod {
  let bestMatch: PitchPeriod = { length: to, similarity: 0 };
  for (let length = from; length <= to; length += stride) {
    const similarity = similarityAt(length, stride);
    if (similarity > bestMatch.similarity) bestMatch = { length, similarity };
  }
  return bestMatch;
}

function similarityAtLag(
  samples: Float32Array,
  end: number,
  lag: number,
  window: number,
  stride: number,
): number {
  let product = 0;
  let energy = 0;
  let laggedEnergy = 0;
  for (let n = end - window; n < end; n += stride) {
    const sample = samples[n] ?? 0;
    const lagged = samples[n - lag] ?? 0;
    product += sample * lagged;
    energy += sample * sample;
    laggedEnergy += lagged * lagged;
  }
  const scale = Math.sqrt(energy * laggedEnergy);
  return scale > 0 ? product / scale : 0;
}

/** Index in the longer sound where the short one matches best. */
export function bestAlignment(longer: Float32Array, sound: Float32Array): number {
  let [bestProduct, bestIndex] = [0, 0];
  for (let from = 0; from + sound.length <= longer.length; from += 1) {
    let product = 0;
    for (let n = 0; n < sound.length; n += 1) product += (longer[from + n] ?? 0) * (sound[n] ?? 0);
    if (product > bestProduct) [bestProduct, bestIndex] = [product, from];
  }
  return bestIndex;
}

/** Below −50 dB, edits are inaudible. */
const audible = 0.003;

export function isQuiet(samples: Float32Array, from: number, to: number): boolean {
  return energyOf(samples, from, to) <= audible * audible * Math.max(1, to - from);
}
