import { inputRate } from '../../shared/protocol/limits.ts';

const windowSamples = inputRate / 20;
const windowMs = (1000 * windowSamples) / inputRate;
const quietestFloor = 0.001;
const leastSpeech = 0.008;
const aboveFloor = 3;
/** The floor sinks to a quieter room at once and rises only slowly, so that speech is not taken for it. */
const sinking = 0.3;
const rising = 1.01;

/** Notices by loudness alone when the person speaks. Times are in milliseconds of sound heard. */
export interface Ear {
  /** Speech since the last `forget`. */
  readonly spoken: number;
  /** Quiet at the end of what was heard. */
  readonly quiet: number;
  /** Hears one chunk and says how long the longest stretch of speech was that reaches into it. */
  readonly hear: (audio: Float32Array) => number;
  readonly forget: () => void;
}

export function openEar(): Ear {
  let floor = 0.003;
  let spoken = 0;
  let quiet = 0;
  /** Grows with speech and shrinks with quiet, half as fast: words have gaps between them. */
  let stretch = 0;

  function hearWindow(level: number, ms: number): void {
    const threshold = Math.max(leastSpeech, floor * aboveFloor);
    if (level >= threshold) {
      spoken += ms;
      quiet = 0;
      stretch += ms;
    } else {
      quiet += ms;
      stretch = Math.max(0, stretch - ms / 2);
    }
    const next = level < floor ? floor + (level - floor) * sinking : floor * rising;
    floor = Math.max(quietestFloor, next);
  }

  return {
    get spoken() {
      return spoken;
    },
    get quiet() {
      return quiet;
    },
    hear: (audio) => {
      let longest = 0;
      for (let from = 0; from < audio.length; from += windowSamples) {
        const until = Math.min(audio.length, from + windowSamples);
        hearWindow(levelOf(audio, from, until), (windowMs * (until - from)) / windowSamples);
        longest = Math.max(longest, stretch);
      }
      return longest;
    },
    forget: () => {
      spoken = 0;
      stretch = 0;
    },
  };
}

/** Root mean square; what is no number counts as silence. */
function levelOf(audio: Float32Array, from: number, until: number): number {
  let sum = 0;
  for (let at = from; at < until; at += 1) {
    const sample = audio[at] ?? 0;
    sum += sample * sample;
  }
  const level = Math.sqrt(sum / (until - from));
  return Number.isFinite(level) ? Math.min(level, 1) : 0;
}
