import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { DemoClip, DemoSpeech } from './gateway-options.ts';

interface FoundSentence {
  readonly clip: DemoClip;
  /** In frames of what was heard; of a sentence that is not all there, before its beginning or beyond its end. */
  readonly from: number;
  readonly to: number;
  readonly likeness: number;
}

/** Of the recorded sentences two are alike by 0.86 at most, and each is like itself by 0.95 and more, however it is played. */
const minLikeness = 0.88;

/** Knows the recorded sentences by their sound, however loud, at whatever rate, with noise; of other words it knows nothing. */
export class SentenceRecogniser {
  readonly #clips: readonly DemoClip[];
  /** Of each sentence, once it was needed. */
  #known: readonly SoundBands[] = [];

  constructor({ clips }: DemoSpeech) {
    this.#clips = clips;
  }

  /** The words that stand in 16 kHz of sound, as far as they are known. Between sentences others may have their turn. */
  async wordsIn(samples: Float32Array, pause: () => Promise<void>): Promise<string | undefined> {
    const heard = measureBands(samples, inputRate);
    const found: FoundSentence[] = [];
    for (const [index, clip] of this.#clips.entries()) {
      const known = this.#known[index] ?? measureBands(clip.audio, outputRate);
      if (this.#known[index] === undefined) this.#known = [...this.#known, known];
      const match = bestMatch(heard, known);
      if (match !== undefined && match.likeness >= minLikeness)
        found.push({ ...match, clip, to: match.from + known.frames });
      await pause();
    }
    const sentences = withoutOverlap(found).toSorted((one, other) => one.from - other.from);
    if (sentences.length === 0) return undefined;
    return withGaps(sentences, heard).join(' ');
  }
}

/** What is known, with a mark where somebody said something else. */
function withGaps(sentences: readonly FoundSentence[], heard: SoundBands): readonly string[] {
  const words: string[] = [];
  let covered = 0;
  for (const sentence of sentences) {
    if (speaksIn(heard, covered, sentence.from)) words.push('…');
    words.push(wordsOf(sentence, heard.frames));
    covered = sentence.to;
  }
  if (speaksIn(heard, covered, heard.frames)) words.push('…');
  return words;
}

function speaksIn({ voiced }: SoundBands, from: number, to: number): boolean {
  return voiced.slice(from, Math.max(from, to)).filter(Boolean).length >= minUnknown;
}

/** Where two would stand in the same place the better one does. */
function withoutOverlap(found: readonly FoundSentence[]): readonly FoundSentence[] {
  const apart: FoundSentence[] = [];
  for (const one of found.toSorted((a, b) => b.likeness - a.likeness)) {
    const room = (one.to - one.from) / 3;
    const covered = apart.some(
      ({ from, to }) => Math.min(to, one.to) - Math.max(from, one.from) > room,
    );
    if (!covered) apart.push(one);
  }
  return apart;
}

/** What was said before the sound begins, or after it ends, was not heard. */
function wordsOf({ clip, from, to }: FoundSentence, frames: number): string {
  if (from >= -tolerance && to <= frames + tolerance) return clip.text;
  const seconds = (frame: number): number => ((frame - from) * frameMs) / 1000;
  const heard = clip.words.filter(({ start, end }) => {
    const middle = (start + end) / 2;
    return middle >= seconds(0) && middle <= seconds(frames);
  });
  const text = heard.map(({ text }) => text).join(' ');
  const isBegun = heard[0] === clip.words[0];
  const isEnded = heard.at(-1) === clip.words.at(-1);
  return `${isBegun ? '' : '… '}${text}${isEnded ? '' : ' …'}`;
}

/** Something else that was said is as long as a word. */
const minUnknown = 30;
/** The quiet at either end of a recording says nothing. */
const tolerance = 8;

/** Where a known sound was found in another: both in frames, `from` before 0 where its beginning is missing. */
export interface BandMatch {
  readonly from: number;
  /** 1 where they are the same but for how loud each band is. */
  readonly likeness: number;
}

/** So much of the known sound must be there: fewer frames are like many a sound. */
const minFrames = 55;
const minVoiced = 35;
/** First every other place, then those around the best. */
const stride = 2;

/** The place at which the known sound is most like the heard one. */
function bestMatch(heard: SoundBands, known: SoundBands): BandMatch | undefined {
  let best: BandMatch | undefined;
  const look = (from: number): void => {
    const likeness = likenessAt(heard, known, from);
    if (likeness !== undefined && (best === undefined || likeness > best.likeness))
      best = { from, likeness };
  };
  for (let from = minFrames - known.frames; from <= heard.frames - minFrames; from += stride)
    look(from);
  const around = best?.from;
  if (around !== undefined) for (const step of [-1, 1]) look(around + step);
  return best;
}

/** The correlation of all bands over the frames that both have; what is constant in a band does not count. */
function likenessAt(heard: SoundBands, known: SoundBands, from: number): number | undefined {
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
      const one = heard.levels[(at + from) * bandCount + band] ?? 0;
      const other = known.levels[at * bandCount + band] ?? 0;
      x += one;
      y += other;
      xx += one * one;
      yy += other * other;
      xy += one * other;
    }
    product += xy - (x * y) / count;
    heardPower += xx - (x * x) / count;
    knownPower += yy - (y * y) / count;
  }
  const power = Math.sqrt(heardPower * knownPower);
  return power > 0 ? product / power : undefined;
}

/** How loud each band of a sound is, a frame after the other: what stays the same when it is played louder, or at another rate. */
interface SoundBands {
  readonly frames: number;
  /** Logarithms, `bandCount` for each frame. */
  readonly levels: Float32Array;
  /** Louder than the sound's own quiet. */
  readonly voiced: readonly boolean[];
}

const frameMs = 20;
const bandCount = 14;
const lowestHz = 220;
const highestHz = 3400;
const sharpness = 4;
/** What is quieter than the loudest frame by more than this is as good as silent, whatever hums there. */
const rangeDb = 45;
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
