import { partitionPoint } from '../../../shared/partition-point.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import {
  emptyScene,
  type ReplayedNotice,
  type ReplayScene,
  sceneAfter,
} from '../../../shared/recordings/replay-scene.ts';
import type { TapeMark, TapeTimeline, TapeTurn } from '../../../shared/recordings/replay-view.ts';
import type { Cue } from '../../talk/captions/live-captions.ts';

export const levelPointMs = 50;
/** Half an hour; a longer talk has longer points. */
const maxPoints = 36_000;
/** A jump folds so many notices at most. */
const keyframeEvery = 200;

/** All that was seen and heard of a taped talk, as far as it has been made; a cursor moves over it at no cost. */
export class RenderedTape {
  readonly notices: ReplayedNotice[] = [];
  /** Of the turns that are over, with the times of the tape. */
  readonly cues: Cue[] = [];
  readonly heard = new SparseAudio(outputRate);
  /** At the rate of what is heard, so that the two can be played together. */
  readonly microphone = new SparseAudio(outputRate);
  readonly parleyLevels = new LevelTrack((outputRate * levelPointMs) / 1000);
  readonly yourLevels = new LevelTrack((inputRate * levelPointMs) / 1000);
  readonly #keyframes: ReplayScene[] = [emptyScene];
  #newest: ReplayScene = emptyScene;
  /** Up to here all of it is there. */
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

  /** With its times on the line of what is heard, which begins then. */
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
    const each = Math.max(1, Math.ceil(all / maxPoints));
    const points = Math.ceil(all / each);
    const ribbon = {
      everyMs: levelPointMs * each,
      you: this.yourLevels.points(points, each),
      parley: this.parleyLevels.points(points, each),
    };
    const { lengthMs, readyMs, turns, marks } = this;
    return { lengthMs, readyMs, turns, marks, ribbon };
  }

  /** All that was shown at that moment. */
  sceneAt(at: number): ReplayScene {
    const count = this.countUntil(at);
    const frame = Math.floor(count / keyframeEvery);
    const scene = this.#keyframes[frame] ?? emptyScene;
    return this.notices.slice(frame * keyframeEvery, count).reduce(sceneAfter, scene);
  }

  /** How many notices had come by then. */
  countUntil(at: number): number {
    return countUntil(this.notices, at);
  }
}

/** How many of them, which are in the order of their times, had come by then. */
export function countUntil(list: readonly { readonly at: number }[], at: number): number {
  return partitionPoint(list.length, (index) => (list[index]?.at ?? Infinity) <= at);
}

/** Of 16 bit, which is more than is heard, a second a page, and none where it is silent. */
class SparseAudio {
  readonly rate: number;
  readonly #pages = new Map<number, Int16Array>();

  constructor(rate: number) {
    this.rate = rate;
  }

  /** Puts sound to its place, in samples since the tape began. */
  put(at: number, samples: Float32Array): void {
    for (let n = 0; n < samples.length; n += 1) {
      const sample = samples[n] ?? 0;
      if (sample === 0 || !Number.isFinite(sample)) continue;
      const place = at + n;
      const index = Math.floor(place / this.rate);
      const page = this.#pages.get(index) ?? this.#newPage(index);
      page[place - index * this.rate] = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
    }
  }

  /** Adds what stands there to the samples. */
  addTo(into: Float32Array, at: number): void {
    for (let n = 0; n < into.length;) {
      const place = at + n;
      const index = Math.floor(place / this.rate);
      const count = Math.min(into.length - n, (index + 1) * this.rate - place);
      const page = this.#pages.get(index);
      const from = place - index * this.rate;
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

/** How loud one voice was, point by point. */
class LevelTrack {
  readonly #window: number;
  #energy = new Float32Array(1024);
  #length = 0;

  /** @param window samples of one point */
  constructor(window: number) {
    this.#window = window;
  }

  /** From this place on, in samples since the tape began. */
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

  /** From 0 for silence to 255 for full scale; the loudest of `each` of ours. */
  points(count: number, each: number): Uint8Array {
    const points = new Uint8Array(count);
    for (let point = 0; point < Math.min(count * each, this.#length); point += 1) {
      const level = Math.max(0, Math.min(1, (this.levelDb(point) + rangeDb) / rangeDb));
      const at = Math.floor(point / each);
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

/** Somebody spoke, in milliseconds since the tape began. */
export interface SpeechSegment {
  readonly from: number;
  readonly to: number;
}

/** Between words it is as quiet for longer. */
const pauseMs = 700;
/** A cough, a key. */
const shortMs = 150;
const silentDb = -95;
const quietestDb = -50;
const overNoiseDb = 12;

/** When the person spoke, as loud as their side was: a good guess, made of the levels alone. */
export function findSpeechSegments({
  yourLevels,
  lengthMs,
}: Pick<RenderedTape, 'yourLevels' | 'lengthMs'>) {
  const levels = Array.from({ length: Math.ceil(lengthMs / levelPointMs) }, (_, point) =>
    yourLevels.levelDb(point),
  );
  // What the gate did not let through is no room's noise.
  const room = levels.filter((level) => level > silentDb).toSorted((one, other) => one - other);
  const noise = room[Math.floor(room.length / 10)] ?? 0;
  // Who speaks all the time is no noise.
  const threshold = Math.max(quietestDb, Math.min(noise + overNoiseDb, -35));
  const found: SpeechSegment[] = [];
  for (const [point, level] of levels.entries()) {
    if (level < threshold) continue;
    const from = point * levelPointMs;
    const last = found.at(-1);
    if (last !== undefined && from - last.to < pauseMs)
      found[found.length - 1] = { from: last.from, to: from + levelPointMs };
    else found.push({ from, to: from + levelPointMs });
  }
  return found.filter(({ from, to }) => to - from >= shortMs);
}
