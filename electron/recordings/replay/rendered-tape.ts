import { partitionPoint } from '../../../shared/collections.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import {
  emptyScene,
  sceneAfter,
  type ReplayedNotice,
  type ReplayScene,
  type TapeMark,
  type TapeTimeline,
  type TapeTurn,
} from '../../../shared/recordings/replay-view.ts';
import type { Cue } from '../../talk/captions/live-captions.ts';

export const levelPointMs = 50;
/** Half an hour at one point per 50 ms; longer talks get coarser points. */
const maxTimelinePoints = 36_000;
/** A seek applies at most this many notices. */
const keyframeEvery = 200;

/** Everything that was shown and heard in a taped talk, as far as it is rendered. Keyframes make a seek cheap. */
export class RenderedTape {
  readonly notices: ReplayedNotice[] = [];
  /** Cues of finished turns, in tape time. */
  readonly cues: Cue[] = [];
  readonly heard = new SparseAudio(outputRate);
  /** Resampled to the output rate, so that both voices can be mixed. */
  readonly microphone = new SparseAudio(outputRate);
  readonly parleyLevels = new LevelTrack((outputRate * levelPointMs) / 1000);
  readonly yourLevels = new LevelTrack((inputRate * levelPointMs) / 1000);
  readonly #keyframes: ReplayScene[] = [emptyScene];
  #newest: ReplayScene = emptyScene;
  /** Everything before this time is rendered. */
  readyMs = 0;
  lengthMs: number;
  marks: readonly TapeMark[] = [];
  turns: readonly TapeTurn[] = [];

  constructor(lengthMs: number) {
    this.lengthMs = lengthMs;
  }

  add(notice: ReplayedNotice): void {
    this.notices.push(notice);
    this.#newest = sceneAfter(this.#newest, notice);
    if (this.notices.length % keyframeEvery === 0) this.#keyframes.push(this.#newest);
  }

  /** Shifts a cue from playout time, which starts at `began`, to tape time. */
  addCue({ turn, words }: Cue, began: number): void {
    const moved = words.map(({ text, start, end }) => ({
      text,
      start: start + began,
      end: end + began,
    }));
    this.cues.push({ turn, words: moved });
  }

  timeline(): TapeTimeline {
    const all = Math.ceil(this.lengthMs / levelPointMs);
    const factor = Math.max(1, Math.ceil(all / maxTimelinePoints));
    const points = Math.ceil(all / factor);
    const levels = {
      everyMs: levelPointMs * factor,
      you: this.yourLevels.points(points, factor),
      parley: this.parleyLevels.points(points, factor),
    };
    const { lengthMs, readyMs, turns, marks } = this;
    return { lengthMs, readyMs, turns, marks, ribbon: levels };
  }

  /** The state of the talk view at this time. */
  sceneAt(at: number): ReplayScene {
    const count = this.countUntil(at);
    const frame = Math.floor(count / keyframeEvery);
    const scene = this.#keyframes[frame] ?? emptyScene;
    return this.notices.slice(frame * keyframeEvery, count).reduce(sceneAfter, scene);
  }

  countUntil(at: number): number {
    return countUntil(this.notices, at);
  }
}

/** Number of items up to this time; the list is sorted by time. */
export function countUntil(list: readonly { readonly at: number }[], at: number): number {
  return partitionPoint(list.length, (index) => (list[index]?.at ?? Infinity) <= at);
}

/** 16-bit audio in pages of one second. Silent seconds have no page. */
class SparseAudio {
  readonly rate: number;
  readonly #pages = new Map<number, Int16Array>();

  constructor(rate: number) {
    this.rate = rate;
  }

  put(at: number, samples: Float32Array): void {
    for (let n = 0; n < samples.length; n += 1) {
      const sample = samples[n] ?? 0;
      if (sample === 0 || !Number.isFinite(sample)) continue;
      const position = at + n;
      const index = Math.floor(position / this.rate);
      const page = this.#pages.get(index) ?? this.#newPage(index);
      page[position - index * this.rate] = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
    }
  }

  addTo(into: Float32Array, at: number): void {
    for (let n = 0; n < into.length;) {
      const position = at + n;
      const index = Math.floor(position / this.rate);
      const count = Math.min(into.length - n, (index + 1) * this.rate - position);
      const page = this.#pages.get(index);
      const from = position - index * this.rate;
      if (page !== undefined)
        for (let k = 0; k < count; k += 1)
          into[n + k] = (into[n + k] ?? 0) + (page[from + k] ?? 0) / 32_767;
      n += count;
    }
  }

  #newPage(index: number): Int16Array {
    const page = new Int16Array(this.rate);
    this.#pages.set(index, page);
    return page;
  }
}

/** The level of a sound, one value for each point of the timeline. */
class LevelTrack {
  readonly #window: number;
  #energy = new Float32Array(1024);
  #length = 0;

  /** @param window samples per point */
  constructor(window: number) {
    this.#window = window;
  }

  /** Adds the energy of samples at a position, in samples since the tape began. */
  put(at: number, samples: Float32Array): void {
    for (let n = 0; n < samples.length;) {
      const point = Math.floor((at + n) / this.#window);
      const until = Math.min(samples.length, (point + 1) * this.#window - at);
      let sum = 0;
      for (; n < until; n += 1) {
        const sample = samples[n] ?? 0;
        if (Math.abs(sample) < Infinity) sum += sample * sample;
      }
      if (sum > 0) this.#add(point, sum);
    }
  }

  /** Levels from 0 (silence) to 255 (full scale); each point is the maximum of `factor` internal points. */
  points(count: number, factor: number): Uint8Array {
    const points = new Uint8Array(count);
    for (let point = 0; point < Math.min(count * factor, this.#length); point += 1) {
      const level = Math.max(0, Math.min(1, (this.levelDb(point) + rangeDb) / rangeDb));
      const at = Math.floor(point / factor);
      points[at] = Math.max(points[at] ?? 0, Math.round(level * 255));
    }
    return points;
  }

  levelDb(point: number): number {
    const energy = this.#energy[point] ?? 0;
    return energy > 0 ? Math.max(-silenceDb, 10 * Math.log10(energy / this.#window)) : -silenceDb;
  }

  #add(point: number, sum: number): void {
    if (point >= this.#energy.length) {
      const larger = new Float32Array(Math.max(point + 1, this.#energy.length * 2));
      larger.set(this.#energy);
      this.#energy = larger;
    }
    this.#energy[point] = (this.#energy[point] ?? 0) + sum;
    this.#length = Math.max(this.#length, point + 1);
  }
}

const rangeDb = 60;
const silenceDb = 100;

/** One stretch of speech, in milliseconds since the tape began. */
export interface SpeechSegment {
  readonly from: number;
  readonly to: number;
}

/** Shorter pauses join two segments. */
const pauseMs = 700;
/** Shorter sounds are coughs or key clicks. */
const minSpeechMs = 150;
const silentDb = -95;
const minThresholdDb = -50;
const aboveNoiseDb = 12;

/** Estimates when the user spoke, from the levels of their side alone. */
export function findSpeechSegments({
  yourLevels,
  lengthMs,
}: Pick<RenderedTape, 'yourLevels' | 'lengthMs'>) {
  const levels = Array.from({ length: Math.ceil(lengthMs / levelPointMs) }, (_, point) =>
    yourLevels.levelDb(point),
  );
  // Points that the transmit gate silenced say nothing about the room's noise.
  const heardLevels = levels
    .filter((level) => level > silentDb)
    .toSorted((one, other) => one - other);
  const noiseDb = heardLevels[Math.floor(heardLevels.length / 10)] ?? 0;
  // The cap of -35 dB keeps a user who speaks all the time from counting as noise.
  const threshold = Math.max(minThresholdDb, Math.min(noiseDb + aboveNoiseDb, -35));
  const found: SpeechSegment[] = [];
  for (const [point, level] of levels.entries()) {
    if (level < threshold) continue;
    const from = point * levelPointMs;
    const last = found.at(-1);
    if (last !== undefined && from - last.to < pauseMs)
      found[found.length - 1] = { from: last.from, to: from + levelPointMs };
    else found.push({ from, to: from + levelPointMs });
  }
  return found.filter(({ from, to }) => to - from >= minSpeechMs);
}
