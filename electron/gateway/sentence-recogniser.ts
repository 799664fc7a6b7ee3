import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { DemoClip, DemoSpeech } from './gateway-options.ts';

interface FoundSentence {
  readonly clip: DemoClip;
  /** Position in frames of the received sound. A cut sentence can start before 0 or end after the last frame. */
  readonly from: number;
  readonly to: number;
  readonly similarity: number;
}

/** Two different recordings correlate by at most 0.86; a played recording and its original by at least 0.95. */
const minSimilarity = 0.88;

/** Recognises the recorded sentences by their sound, at any volume and with noise, and no other speech. */
export class SentenceRecogniser {
  readonly #clips: readonly DemoClip[];
  /** Bands of each clip, measured when first needed. */
  #known: readonly SoundBands[] = [];

  constructor({ clips }: DemoSpeech) {
    this.#clips = clips;
  }

  /** Recognises sentences in 16 kHz sound. Pauses between clips, so that other work can run. */
  async recognise(samples: Float32Array, pause: () => Promise<void>): Promise<string | undefined> {
    const heard = measureBands(samples, inputRate);
    const found: FoundSentence[] = [];
    for (const [index, clip] of this.#clips.entries()) {
      const known = this.#known[index] ?? measureBands(clip.audio, outputRate);
      if (this.#known[index] === undefined) this.#known = [...this.#known, known];
      const match = findBestMatch(heard, known);
      if (match !== undefined && match.similarity >= minSimilarity)
        found.push({ ...match, clip, to: match.from + known.frames });
      await pause();
    }
    const sentences = removeOverlaps(found).toSorted((a, b) => a.from - b.from);
    if (sentences.length === 0) return undefined;
    return markGaps(sentences, heard).join(' ');
  }
}

/** The recognised words, with "…" for other speech. */
function markGaps(sentences: readonly FoundSentence[], heard: SoundBands): readonly string[] {
  const words: string[] = [];
  let covered = 0;
  for (const sentence of sentences) {
    if (speaksIn(heard, covered, sentence.from)) words.push('…');
    words.push(heardWords(sentence, heard.frames));
    covered = sentence.to;
  }
  if (speaksIn(heard, covered, heard.frames)) words.push('…');
  return words;
}

function speaksIn({ voiced }: SoundBands, from: number, to: number): boolean {
  return voiced.slice(from, Math.max(from, to)).filter(Boolean).length >= minUnknownFrames;
}

/** Keeps the better of two matches that overlap by more than a third. */
function removeOverlaps(found: readonly FoundSentence[]): readonly FoundSentence[] {
  const separateMatches: FoundSentence[] = [];
  for (const match of found.toSorted((a, b) => b.similarity - a.similarity)) {
    const maxOverlap = (match.to - match.from) / 3;
    const covered = separateMatches.some(
      ({ from, to }) => Math.min(to, match.to) - Math.max(from, match.from) > maxOverlap,
    );
    if (!covered) separateMatches.push(match);
  }
  return separateMatches;
}

/** The words of a sentence that lie within the sound, with "…" for the rest. */
function heardWords({ clip, from, to }: FoundSentence, frames: number): string {
  if (from >= -edgeFrames && to <= frames + edgeFrames) return clip.text;
  const seconds = (frame: number): number => ((frame - from) * frameMs) / 1000;
  const heard = clip.words.filter(({ start, end }) => {
    const middle = (start + end) / 2;
    return middle >= seconds(0) && middle <= seconds(frames);
  });
  const text = heard.map(({ text }) => text).join(' ');
  const hasBeginning = heard[0] === clip.words[0];
  const hasEnd = heard.at(-1) === clip.words.at(-1);
  return `${hasBeginning ? '' : '… '}${text}${hasEnd ? '' : ' …'}`;
}

/** This many voiced frames, about a word, count as other speech. */
const minUnknownFrames = 30;
/** Recordings may begin and end with this many frames of silence, which can be missing. */
const edgeFrames = 8;

/** Where a clip matches, in frames: `from` is negative if its beginning is missing. */
export interface BandMatch {
  readonly from: number;
  /** 1 if the two differ only in the volume of each band. */
  readonly similarity: number;
}

/** A match needs this many frames, because a shorter sound resembles many others. */
const minFrames = 55;
const minVoiced = 35;
/** The search tries every second offset, then both neighbours of the best. */
const stride = 2;

function findBestMatch(heard: SoundBands, known: SoundBands): BandMatch | undefined {
  let best: BandMatch | undefined;
  const tryOffset = (from: number): void => {
    const similarity = similarityAt(heard, known, from);
    if (similarity !== undefined && (best === undefined || similarity > best.similarity))
      best = { from, similarity };
  };
  for (let from = minFrames - known.frames; from <= heard.frames - minFrames; from += stride)
    tryOffset(from);
  const coarseBest = best?.from;
  if (coarseBest !== undefined) for (const step of [-1, 1]) tryOffset(coarseBest + step);
  return best;
}

/** The correlation of all bands over the frames that both have, without each band's mean. */
function similarityAt(heard: SoundBands, known: SoundBands, from: number): number | undefined {
  const begin = Math.max(0, -from);
  const end = Math.min(known.frames, heard.frames - from);
  const count = end - begin;
  if (count < Math.min(minFrames, known.frames)) return undefined;
  let voiced = 0;
  for (let at = begin; at < end; at += 1) if (known.voiced[at] === true) voiced += 1;
  if (voiced < Math.min(minVoiced, known.frames / 2)) return undefined;
  let [product, heardPower, knownPower] = [0, 0, 0];
  for (let band = 0; band < bandCount; band += 1) {
    let [x, y, xx, yy, xy] = [0, 0, 0, 0, 0];
    for (let at = begin; at < end; at += 1) {
      const heardLevel = heard.levels[(at + from) * bandCount + band] ?? 0;
      const knownLevel = known.levels[at * bandCount + band] ?? 0;
      x += heardLevel;
      y += knownLevel;
      xx += heardLevel * heardLevel;
      yy += knownLevel * knownLevel;
      xy += heardLevel * knownLevel;
    }
    product += xy - (x * y) / count;
    heardPower += xx - (x * x) / count;
    knownPower += yy - (y * y) / count;
  }
  const power = Math.sqrt(heardPower * knownPower);
  return power > 0 ? product / power : undefined;
}

/** Levels of a sound's frequency bands per frame, which do not depend on volume or sample rate. */
interface SoundBands {
  readonly frames: number;
  /** Log power, `bandCount` values per frame. */
  readonly levels: Float32Array;
  /** Frames within `voicedDb` of the loudest. */
  readonly voiced: readonly boolean[];
}

const frameMs = 20;
const bandCount = 14;
const lowestHz = 220;
const highestHz = 3400;
const bandQ = 4;
/** Power this far below the loudest band counts as silence, which hides hum. */
const dynamicRangeDb = 45;
const voicedDb = 30;

function measureBands(samples: Float32Array, rate: number): SoundBands {
  const frame = Math.round((rate * frameMs) / 1000);
  const frames = Math.floor(samples.length / frame);
  const levels = new Float32Array(frames * bandCount);
  for (let band = 0; band < bandCount; band += 1) {
    const hz = lowestHz * (highestHz / lowestHz) ** (band / (bandCount - 1));
    fillBand(levels, band, samples, frame, (2 * Math.PI * hz) / rate);
  }
  let loudest = 0;
  for (const power of levels) loudest = Math.max(loudest, power);
  const floor = loudest * 10 ** (-dynamicRangeDb / 10) + Number.MIN_VALUE;
  const loud = bandCount * loudest * 10 ** (-voicedDb / 10);
  const voiced = Array.from({ length: frames }, (_frame, at) => {
    let sum = 0;
    for (let band = 0; band < bandCount; band += 1) sum += levels[at * bandCount + band] ?? 0;
    return loudest > 0 && sum >= loud;
  });
  for (const [n, power] of levels.entries()) levels[n] = Math.log(power + floor);
  return { frames, levels, voiced };
}

/** Writes the power that a second-order band-pass lets through. */
function fillBand(
  levels: Float32Array,
  band: number,
  samples: Float32Array,
  frame: number,
  turn: number,
): void {
  const alpha = Math.sin(turn) / (2 * bandQ);
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
