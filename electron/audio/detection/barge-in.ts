import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { levelDb } from '../dsp/loudness.ts';

export interface BargeInOptions {
  readonly enabled: boolean;
  /**
   * A sound up to this long is back-channel ("mm-hmm"): it only ducks the answer. A longer one takes the floor if it is certainly
   * a voice.
   */
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
/** With a voice detector the limit is lower, because the likelihood takes a moment to rise. */
const minVoicedMs = 40;
/** Below this likelihood a sound is a key, a cough or a door. */
const minLikelihood = 0.2;
const certainLikelihood = 0.9;
/**
 * A sound takes the floor only if the voice detector is certain during this share of the sound's voiced blocks. Barks
 * and most laughter stay below.
 */
const minCertainShare = 0.8;
/** The share is lower while the echo canceller's network runs, because the soft ends of words then count as part of the sound. */
const minCertainShareOverEcho = 0.7;
const syllableGapMs = 200;
/** A voice must be louder than the expected echo by this much, because the level of the echo fluctuates. */
const aboveEchoDb = 6;

export interface HeardBlock {
  readonly likelihood?: number | undefined;
  /** Probability of near-end speech; undefined unless the echo canceller's network runs. */
  readonly presence?: number | undefined;
}

/**
 * Tells a back-channel sound from an attempt to speak: by its length, its level, how likely it is a voice, and in what
 * share of its voiced blocks the detector is certain (docs/decisions/0044-voice-detector.md).
 */
export class BargeInDetector {
  readonly #options: BargeInOptions;
  readonly #noise = new NoiseFloor();
  readonly #echo = new EchoLevel();
  readonly #speech: SpeechOverAnswer;
  #isOverEcho = false;
  #ducked = false;
  #tookFloor = false;
  /** Length of the sound so far, from counts of samples, because a clock may jump. */
  #lengthMs = 0;
  #voicedMs = 0;
  #quietMs = 0;
  #certainMs = 0;

  constructor(options: BargeInOptions, speech = new SpeechOverAnswer()) {
    this.#options = options;
    this.#speech = speech;
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
    heard: HeardBlock = {},
  ): BargeInEvent | undefined {
    if (!this.#options.enabled || block.length === 0) return undefined;
    const ms = (block.length * 1000) / inputRate;
    const isVoice = this.#isVoice(levelDb(block), ms, atMs, heard);
    if (!answering) return this.#endSound();
    if (isVoice) return this.#addVoice(ms, heard.likelihood);
    this.#quietMs += ms;
    return this.#quietMs >= syllableGapMs ? this.#endSound() : undefined;
  }

  #isVoice(level: number, ms: number, atMs: number, { likelihood, presence }: HeardBlock): boolean {
    this.#isOverEcho = likelihood !== undefined && presence !== undefined;
    const logOdds = this.#speech.push(likelihood ?? 0.5, presence ?? 0.5, ms);
    const isVoice = this.#isOverEcho
      ? logOdds > 0
      : this.#isLoud(level, ms, atMs) && (likelihood ?? 1) >= minLikelihood;
    if (!this.#echo.isPlaying(atMs)) this.#noise.learn(level, ms, isVoice);
    return isVoice;
  }

  #isLoud(level: number, ms: number, atMs: number): boolean {
    const echoDb = this.#echo.learnAndPredict(level, atMs, ms);
    return level > Math.max(this.#noise.db + this.#options.aboveNoiseDb, echoDb + aboveEchoDb);
  }

  #addVoice(ms: number, likelihood: number | undefined): BargeInEvent | undefined {
    const minMs = likelihood === undefined ? minSoundMs : minVoicedMs;
    // A short gap between syllables counts as part of the sound.
    this.#lengthMs += this.#lengthMs === 0 ? ms : this.#quietMs + ms;
    this.#voicedMs += ms;
    if ((likelihood ?? 1) >= certainLikelihood) this.#certainMs += ms;
    this.#quietMs = 0;
    if (!this.#ducked && this.#voicedMs >= minMs) {
      this.#ducked = true;
      return 'duck';
    }
    if (this.#tookFloor || !this.#ducked || this.#lengthMs <= this.#options.shortMs)
      return undefined;
    const minShare = this.#isOverEcho ? minCertainShareOverEcho : minCertainShare;
    if (this.#certainMs < minShare * this.#voicedMs) return undefined;
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

/** How long a played level counts: the delay from playhead to microphone, plus reverberation. */
const echoTailMs = 300;
/** Softer playback gives no information about the echo. */
const audibleDb = -45;
/** Gain of the path from the speaker to the microphone. */
const initialEchoGainDb = -40;
const maxEchoGainDb = 6;
/**
 * For this long at the start of an answer, the gain of the echo path may rise at once. Without an echo canceller, an
 * echo whose gain is learned slowly would interrupt the answer.
 */
const answerStartMs = 400;
/** Later the gain rises slowly, so that a voice is not learned as echo. */
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

  /** Returns the level that echo can explain, and learns from the block. */
  learnAndPredict(levelDb: number, atMs: number, ms: number): number {
    // Echo arrives late and rings on, so only the recent peaks of playback and microphone are comparable.
    this.#captured.push(levelDb, atMs);
    const played = this.#played.at(atMs);
    if (played === undefined) {
      this.#silentMs += ms;
      if (this.#silentMs >= answerGapMs) this.#soundedMs = 0;
      return silentDb;
    }
    this.#silentMs = 0;
    this.#soundedMs += ms;
    const gain = (this.#captured.at(atMs) ?? levelDb) - played;
    const rise = this.#soundedMs <= answerStartMs ? Infinity : (echoRiseDbPerSecond * ms) / 1000;
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
/** The noise floor rises no further, because in louder noise a talk is impossible. */
const maxNoiseDb = -25;
const initialNoiseDb = -55;
const fallShare = 0.2;
/** Slow enough to keep words out of the noise floor. */
const riseDbPerSecond = 6;
/** During a voice the floor rises slower still, but it does rise, because a fan may be classified as a voice. */
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

/** Weights of `SpeechOverAnswer.inputs`, and the bias. `npm run bench -- barge --learn` prints them. */
const speechWeights = [0.25, 0.71, 0.25] as const;
const speechBias = 2.29;
/** Time constant of the second input, a moving average: about a syllable. */
const meanMs = 150;

/**
 * Estimates by logistic regression whether a person speaks over an answer whose echo is cancelled. Neither network
 * suffices alone: the voice detector takes residual echo for a voice, and the canceller's network takes a barking dog
 * for a person. The level is no evidence, because the canceller takes some of a soft voice
 * (docs/decisions/0044-voice-detector.md).
 */
export class SpeechOverAnswer {
  /** Log-odds of a voice now, of a voice on average over the last syllable, and of a person. */
  readonly inputs = new Float64Array(speechWeights.length);
  #hasMean = false;

  /**
   * Takes the probability of a voice by the voice detector, and that of a person by the echo canceller's network.
   * Returns the log-odds of a person's speech.
   */
  push(likelihood: number, presence: number, ms: number): number {
    const voice = logit(likelihood);
    const mean = this.#hasMean ? (this.inputs[1] ?? 0) : voice;
    this.#hasMean = true;
    this.inputs[0] = voice;
    this.inputs[1] = mean + (1 - Math.exp(-ms / meanMs)) * (voice - mean);
    this.inputs[2] = logit(presence);
    return speechWeights.reduce(
      (logOdds, weight, n) => logOdds + weight * (this.inputs[n] ?? 0),
      speechBias,
    );
  }
}

/** Limited, so that one network that is certain does not outvote the other. */
function logit(probability: number): number {
  const limited = Math.min(Math.max(probability, 0.001), 0.999);
  return Math.log(limited / (1 - limited));
}
