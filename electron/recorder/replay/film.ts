import { inputRate, outputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { FilmMark, FilmTimeline, FilmTurn } from '../../../shared/replay/film-timeline.ts';
import { emptyScene, sceneAfter } from '../../../shared/replay/replay-scene.ts';
import type { ReplayScene } from '../../../shared/replay/replay-scene.ts';
import type { ReplayedNotice } from '../../../shared/replay/replayed-notice.ts';
import type { Cue } from '../../conversation/captions/caption-cue.ts';
import { FilmSound } from './film-sound.ts';
import { RibbonTrack } from './ribbon-track.ts';

export const ribbonMs = 50;
/** Half an hour; a longer talk has longer points. */
const maxPoints = 36_000;
/** A jump folds so many notices at most. */
const keyframeEvery = 200;

/** All that was seen and heard of a taped talk, as far as it has been made; a cursor moves over it at no cost. */
export class Film {
  readonly notices: ReplayedNotice[] = [];
  /** Of the turns that are over, with the times of the tape. */
  readonly cues: Cue[] = [];
  readonly heard = new FilmSound(outputRate);
  /** At the rate of what is heard, so that the two can be played together. */
  readonly microphone = new FilmSound(outputRate);
  readonly parleyLevels = new RibbonTrack((outputRate * ribbonMs) / 1000);
  readonly yourLevels = new RibbonTrack((inputRate * ribbonMs) / 1000);
  readonly #keyframes: ReplayScene[] = [emptyScene];
  #newest: ReplayScene = emptyScene;
  /** Up to here all of it is there. */
  readyMs = 0;
  lengthMs: number;
  marks: readonly FilmMark[] = [];
  turns: readonly FilmTurn[] = [];

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

  timeline(): FilmTimeline {
    const all = Math.ceil(this.lengthMs / ribbonMs);
    const each = Math.max(1, Math.ceil(all / maxPoints));
    const points = Math.ceil(all / each);
    const ribbon = {
      everyMs: ribbonMs * each,
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
    let low = 0;
    let high = this.notices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.notices[middle]?.at ?? Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
