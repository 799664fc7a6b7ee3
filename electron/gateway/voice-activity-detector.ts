import { inputRate } from '../../shared/protocol/protocol-limits.ts';

const windowSamples = inputRate / 20;
const windowMs = (1000 * windowSamples) / inputRate;
const minNoiseFloor = 0.001;
const minSpeechLevel = 0.008;
const speechAboveFloor = 3;
/** The floor sinks to a quieter room at once and rises only slowly, so that speech is not taken for it. */
const floorFall = 0.3;
const floorRise = 1.01;

/** Notices by loudness alone when the person speaks. Times are in milliseconds of sound heard. */
export interface VoiceActivityDetector {
  /** Speech since the last `forget`. */
  readonly speechMs: number;
  /** Quiet at the end of what was heard. */
  readonly silenceMs: number;
  /** Takes one chunk and returns how long the longest stretch of speech was that reaches into it. */
  readonly push: (audio: Float32Array) => number;
  readonly reset: () => void;
}

export function openVoiceActivityDetector(): VoiceActivityDetector {
  let floor = 0.003;
  let spoken = 0;
  let quiet = 0;
  /** Grows with speech and shrinks with quiet, half as fast: words have gaps between them. */
  let stretch = 0;

  function hearWindow(level: number, ms: number): void {
    const threshold = Math.max(minSpeechLevel, floor * speechAboveFloor);
    if (level >= threshold) {
      spoken += ms;
      quiet = 0;
      stretch += ms;
    } else {
      quiet += ms;
      stretch = Math.max(0, stretch - ms / 2);
    }
    const next = level < floor ? floor + (level - floor) * floorFall : floor * floorRise;
    floor = Math.max(minNoiseFloor, next);
  }

  return {
    get speechMs() {
      return spoken;
    },
    get silenceMs() {
      return quiet;
    },
    push: (audio) => {
      let longestStretch = 0;
      for (let from = 0; from < audio.length; from += windowSamples) {
        const until = Math.min(audio.length, from + windowSamples);
        hearWindow(levelOf(audio, from, until), (windowMs * (until - from)) / windowSamples);
        longestStretch = Math.max(longestStretch, stretch);
      }
      return longestStretch;
    },
    reset: () => {
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
