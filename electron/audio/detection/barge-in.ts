import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { levelDb } from '../dsp/loudness.ts';

export interface BargeInOptions {
  readonly enabled: boolean;
  /** A sound up to this long is back-channel ("mm-hmm"): it only ducks the answer. A longer one takes the floor. */
  readonly shortMs: number;
  /** Required level above the noise floor. A noisy room needs a higher one, a quiet voice a lower one. */
  readonly aboveNoiseDb: number;
}

export const defaultBargeInOptions: BargeInOptions = {
  enabled: true,
  shortMs: 600,
  aboveNoiseDb: 12,
};

/** One `restore` follows each `duck`, with at most one `takesFloor` in between. */
export type BargeInEvent = 'duck' | 'restore' | 'takesFloor';

/** Without a voice detector, a shorter sound counts as a knock. */
const minSoundMs = 60;
/** The same limit with a voice detector, whose likelihood takes a moment to rise. */
const minVoicedMs = 40;
/** After a gap in playback, residual echo can sound like a voice for nearly this long. */
const minVoicedOverEchoMs = 200;
/** Below this likelihood a sound is a key, a cough or a door. */
const minLikelihood = 0.2;
const minLikelihoodOverEcho = 0.5;
const minLikelihoodNearEnd = 0.35;
const aboveNoiseWithDetectorDb = 6;
/**
 * Near-end speech this long ducks the answer without the level test: until the echo canceller has learned the
 * room, it removes most of the user's voice.
 */
const nearEndDuckMs = 100;
const certainLikelihood = 0.9;
/**
 * A sound takes the floor only if the voice detector is certain during this share of it. Barks and laughter stay below.
 */
const minCertainShare = 0.8;
const syllableGapMs = 200;
/** Required level above the expected echo, because its level fluctuates. */
const aboveEchoDb = 6;

export interface HeardBlock {
  readonly likelihood?: number | undefined;
  readonly hasEcho?: boolean | undefined;
  readonly hasNearEndSpeech?: boolean | undefined;
}

/**
 * Tells a back-channel sound from an attempt to speak: by its length, its level, and how likely and how often it is a
 * voice (docs/decisions/0044-voice-detector.md).
 */
export class BargeInDetector {
  readonly #options: BargeInOptions;
  readonly #noise = new NoiseFloor();
  readonly #echo = new EchoLevel();
  #ducked = false;
  #tookFloor = false;
  /** Length of the sound so far, from counts of samples, because a clock may jump. */
  #lengthMs = 0;
  #voicedMs = 0;
  #quietMs = 0;
  #certainMs = 0;
  #nearEndMs = 0;

  constructor(options: BargeInOptions) {
    this.#options = options;
  }

  /** True while the microphone hears the user over the answer; always true if barge-in detection is off. */
  get hearsUser(): boolean {
    return !this.#options.enabled || this.#ducked;
  }

  /** Records the level of played sound, to predict its echo. */
  played(block: Float32Array, atMs: number): void {
    const part = outputRate / 50;
    for (let from = 0; from < block.length; from += part) {
      this.#echo.played(levelDb(block.subarray(from, from + part)), atMs);
    }
  }

  push(
    block: Float32Array,
    atMs: number,
    answering: boolean,
    { likelihood, hasEcho = false, hasNearEndSpeech = false }: HeardBlock = {},
  ): BargeInEvent | undefined {
    if (!this.#options.enabled || block.length === 0) return undefined;
    const ms = (block.length * 1000) / inputRate;
    const level = levelDb(block);
    const isNearEndSpeechSustained = this.#addNearEnd(
      hasNearEndSpeech && !hasEcho && likelihood !== undefined,
      ms,
    );
    const isJudgedOverEcho = hasEcho && likelihood !== undefined;
    const echo = this.#echo.learnAndPredict(level, atMs, ms, {
      hasNearEndSpeech,
      isCancelled: isJudgedOverEcho,
    });
    const minEchoLevel = hasNearEndSpeech ? -Infinity : echo + aboveEchoDb;
    const requiredDb =
      isJudgedOverEcho || (hasNearEndSpeech && likelihood !== undefined)
        ? aboveNoiseWithDetectorDb
        : this.#options.aboveNoiseDb;
    const isLoud = level > Math.max(this.#noise.db + requiredDb, minEchoLevel);
    const soundsLikeVoice =
      (likelihood ?? 1) >= this.#minLikelihood(isJudgedOverEcho, hasNearEndSpeech);
    const isVoice = (isLoud && soundsLikeVoice) || isNearEndSpeechSustained;
    if (!this.#echo.isPlaying(atMs)) this.#noise.learn(level, ms, isVoice);
    if (!answering) return this.#endSound();
    if (isVoice) {
      const certainMs = (likelihood ?? 1) >= certainLikelihood ? ms : 0;
      return this.#addVoice(
        ms,
        certainMs,
        hasEcho && !hasNearEndSpeech ? minVoicedOverEchoMs : minDuration(likelihood),
      );
    }
    this.#quietMs += ms;
    return this.#quietMs >= syllableGapMs ? this.#endSound() : undefined;
  }

  #minLikelihood(isJudgedOverEcho: boolean, hasNearEndSpeech: boolean): number {
    if (!isJudgedOverEcho) return minLikelihood;
    return hasNearEndSpeech ? minLikelihoodNearEnd : minLikelihoodOverEcho;
  }

  /** Returns whether near-end speech has lasted long enough to duck the answer. */
  #addNearEnd(hasNearEndSpeech: boolean, ms: number): boolean {
    this.#nearEndMs = hasNearEndSpeech ? this.#nearEndMs + ms : 0;
    return this.#nearEndMs >= nearEndDuckMs;
  }

  #addVoice(ms: number, certainMs: number, minMs: number): BargeInEvent | undefined {
    // A short gap between syllables counts as part of the sound.
    this.#lengthMs += this.#lengthMs === 0 ? ms : this.#quietMs + ms;
    this.#voicedMs += ms;
    this.#certainMs += certainMs;
    this.#quietMs = 0;
    if (!this.#ducked && this.#voicedMs >= minMs) {
      this.#ducked = true;
      return 'duck';
    }
    if (this.#tookFloor || !this.#ducked || this.#lengthMs <= this.#options.shortMs)
      return undefined;
    if (this.#certainMs < minCertainShare * this.#voicedMs) return undefined;
    this.#tookFloor = true;
    return 'takesFloor';
  }

  #endSound(): BargeInEvent | undefined {
    const ducked = this.#ducked;
    this.#ducked = false;
    this.#tookFloor = false;
    this.#lengthMs = 0;
    this.#voicedMs = 0;
    this.#certainMs = 0;
    this.#quietMs = 0;
    return ducked ? 'restore' : undefined;
  }
}

function minDuration(likelihood: number | undefined): number {
  return likelihood === undefined ? minSoundMs : minVoicedMs;
}

/** How long a played level counts: the delay from playhead to microphone, plus reverberation. */
const echoTailMs = 300;
/** Softer playback gives no information about the echo. */
const audibleDb = -45;
/** Gain of the path from the speaker to the microphone. */
const initialEchoGainDb = -40;
const maxEchoGainDb = 6;
/**
 * Without an echo canceller the echo's level is learned at once at the beginning of an answer; learned slowly, the
 * echo would interrupt the answer.
 */
const answerStartMs = 400;
/** Later it rises slowly, so that a voice is not learned as echo. */
const echoRiseDbPerSecond = 3;
const fallDbPerSecond = 6;
const silentDb = -100;
const answerGapMs = 1000;

/** Learns how loud the speaker's echo is in the microphone. */
class EchoLevel {
  readonly #played = new RecentPeak();
  readonly #captured = new RecentPeak();
  #echoGainDb = initialEchoGainDb;
  #soundedMs = 0;
  #silentMs = 0;

  played(levelDb: number, atMs: number): void {
    if (levelDb >= audibleDb) this.#played.push(levelDb, atMs);
  }

  isPlaying(atMs: number): boolean {
    return this.#played.at(atMs) !== undefined;
  }

  /**
   * Returns the level that echo can explain, and learns from the block unless it has near-end speech. The residual
   * echo of a canceller is weak, so it is always learned slowly: a user who speaks over the beginning is not learned
   * as echo.
   */
  learnAndPredict(
    levelDb: number,
    atMs: number,
    ms: number,
    {
      hasNearEndSpeech = false,
      isCancelled = false,
    }: { hasNearEndSpeech?: boolean; isCancelled?: boolean } = {},
  ): number {
    // Echo arrives late and rings on, so only the recent peaks of both are comparable.
    if (!hasNearEndSpeech) this.#captured.push(levelDb, atMs);
    const played = this.#played.at(atMs);
    if (played === undefined) {
      this.#silentMs += ms;
      if (this.#silentMs >= answerGapMs) this.#soundedMs = 0;
      return silentDb;
    }
    this.#silentMs = 0;
    this.#soundedMs += ms;
    if (hasNearEndSpeech) return played + this.#echoGainDb;
    const gain = (this.#captured.at(atMs) ?? levelDb) - played;
    const isImmediate = this.#soundedMs <= answerStartMs && !isCancelled;
    const rise = isImmediate ? Infinity : (echoRiseDbPerSecond * ms) / 1000;
    const fall = (fallDbPerSecond * ms) / 1000;
    this.#echoGainDb = Math.max(
      this.#echoGainDb - fall,
      Math.min(gain, this.#echoGainDb + rise, maxEchoGainDb),
    );
    return played + this.#echoGainDb;
  }
}

class RecentPeak {
  #db = -Infinity;
  #at = -Infinity;

  push(db: number, atMs: number): void {
    if (db < this.#db && this.#isRecent(atMs)) return;
    this.#db = db;
    this.#at = atMs;
  }

  at(atMs: number): number | undefined {
    return this.#isRecent(atMs) ? this.#db : undefined;
  }

  /** Uses the distance in time, so a clock that jumps back cannot freeze the peak. */
  #isRecent(atMs: number): boolean {
    return Math.abs(atMs - this.#at) < echoTailMs;
  }
}

const minNoiseDb = -65;
/** With louder noise a talk is impossible. */
const maxNoiseDb = -25;
const initialNoiseDb = -55;
const fallShare = 0.2;
/** Slow enough to keep words out of the noise floor. */
const riseDbPerSecond = 6;
/** Slower still, but it lets the floor reach a fan that was classified as a voice. */
const voicedRiseDbPerSecond = 1;

class NoiseFloor {
  #db = initialNoiseDb;

  get db(): number {
    return this.#db;
  }

  learn(levelDb: number, ms: number, isVoice: boolean): void {
    const rise = ((isVoice ? voicedRiseDbPerSecond : riseDbPerSecond) * ms) / 1000;
    const next =
      levelDb < this.#db
        ? this.#db + (levelDb - this.#db) * fallShare
        : Math.min(levelDb, this.#db + rise);
    this.#db = Math.min(maxNoiseDb, Math.max(minNoiseDb, next));
  }
}
