import type {
  AudioSettings,
  EnhancementStrength,
} from '../../../shared/settings/audio-settings.ts';
import { VoiceModel, voiceStepSamples } from '../detection/voice-model.ts';
import { levelDb, powerDb } from '../dsp/loudness.ts';
import { NoiseGains, SpectralFilter } from './noise-suppression.ts';

/** The microphone settings, read for every block because they can change during a talk. */
export type EnhancementChoice = () => Pick<AudioSettings, 'noise' | 'level'>;

/** Voice detection, noise suppression (which delays by 5 ms) and gain control, after the echo canceller. */
export class CaptureEnhancement {
  readonly #chosen: EnhancementChoice;
  readonly #voice = new VoiceModel();
  readonly #gains = new NoiseGains();
  readonly #filter = new SpectralFilter();
  readonly #level = new AutomaticGain();
  #noise: EnhancementStrength = 'off';

  constructor(chosen: EnhancementChoice) {
    this.#chosen = chosen;
  }

  get likelihood(): number {
    return this.#voice.likelihood;
  }

  reset(): void {
    this.#voice.reset();
    this.#gains.reset();
    this.#filter.reset();
    this.#level.reset();
  }

  /** Works in place. */
  process(block: Float32Array): void {
    const { noise, level } = this.#chosen();
    this.#switch(noise);
    for (let from = 0; from < block.length;) {
      const part = block.subarray(from, from + this.#voice.missingSamples);
      from += part.length;
      this.#voice.push(part);
      if (noise !== 'off') this.#clear(part, noise);
      this.#level.process(part, this.#voice.likelihood, level);
    }
  }

  #clear(part: Float32Array, noise: Exclude<EnhancementStrength, 'off'>): void {
    if (this.#voice.isStepComplete) {
      this.#gains.follow(this.#voice.power, this.#voice.likelihood, noise);
      this.#filter.setGains(this.#gains.values);
    }
    this.#filter.process(part);
  }

  /** Resets the filter when noise suppression is switched on, because its history is outdated. */
  #switch(noise: EnhancementStrength): void {
    if (this.#noise === 'off' && noise !== 'off') {
      this.#gains.reset();
      this.#filter.reset();
    }
    this.#noise = noise;
  }
}

interface GainLimits {
  readonly mostDb: number;
  readonly leastDb: number;
}

const gainLimits: Record<Exclude<EnhancementStrength, 'off'>, GainLimits> = {
  gentle: { mostDb: 9, leastDb: -6 },
  strong: { mostDb: 18, leastDb: -14 },
};
/** Target level of speech: loud enough for the model, without clipping. */
const targetDb = -24;
const minSpeechLikelihood = 0.7;
/** Speech this far below the speaker's level is ignored, such as the ends of words. */
const maxBelowVoiceDb = 15;
/** Speech steps before the first estimate of the level, and the length of its memory. */
const firstSteps = 30;
const memorySteps = 150;
/** Tolerated deviation: a level that follows each word would pump. Once outside it, the gain moves all the way. */
const toleranceDb = 1;
/** Gain change per step while somebody speaks: 6 dB/s up, 15 dB/s down. */
const upDb = 0.06;
const downDb = 0.15;
/** Gain raises the room noise at most to this level. */
const loudestRoomDb = -42;
const roomRise = 0.02;
const roomFall = 0.1;
const ceiling = 0.89;
/** The limiter recovers by 20 dB/s. */
const releaseDb = 0.2;

/** Brings speech slowly to a constant level, which it learns only from speech. */
class AutomaticGain {
  #power = 0;
  #steps = 0;
  #roomDb: number | undefined;
  /** The target gain, and the gain after limiting. */
  #gainDb = 0;
  #nowDb = 0;
  #factor = 1;
  #isAdjusting = false;

  reset(): void {
    this.#power = 0;
    this.#steps = 0;
    this.#roomDb = undefined;
    this.#gainDb = 0;
    this.#nowDb = 0;
    this.#factor = 1;
    this.#isAdjusting = false;
  }

  /** Processes up to 10 ms in place; `likelihood` is the probability of speech in it. */
  process(block: Float32Array, likelihood: number, strength: EnhancementStrength): void {
    const share = block.length / voiceStepSamples;
    if (strength === 'off') this.#approach(0, share);
    // A shorter part is too short to measure.
    else if (share >= 0.5) this.#follow(levelDb(block), likelihood, gainLimits[strength], share);
    this.#apply(block, share);
  }

  #follow(level: number, likelihood: number, { mostDb, leastDb }: GainLimits, share: number): void {
    this.#followRoom(level, likelihood);
    if (likelihood < minSpeechLikelihood || level < this.#voiceDb - maxBelowVoiceDb) return;
    this.#steps += 1;
    this.#power += (10 ** (level / 10) - this.#power) / Math.min(this.#steps, memorySteps);
    if (this.#steps < firstSteps) return;
    const most = Math.min(mostDb, Math.max(0, loudestRoomDb - (this.#roomDb ?? 0)));
    const goal = Math.max(leastDb, Math.min(most, targetDb - this.#voiceDb));
    const far = Math.abs(goal - this.#gainDb);
    this.#isAdjusting = far > toleranceDb || (this.#isAdjusting && far > upDb);
    if (this.#isAdjusting) this.#approach(goal, share);
  }

  /** Tracks the noise level; anything softer than the estimate must be noise. */
  #followRoom(level: number, likelihood: number): void {
    const difference = level - (this.#roomDb ?? level);
    const share = difference < 0 ? roomFall : likelihood < minSpeechLikelihood / 2 ? roomRise : 0;
    this.#roomDb = level - difference + share * difference;
  }

  #approach(goal: number, share: number): void {
    const difference = goal - this.#gainDb;
    this.#gainDb += Math.max(-downDb * share, Math.min(upDb * share, difference));
  }

  get #voiceDb(): number {
    return powerDb(this.#power);
  }

  #apply(block: Float32Array, share: number): void {
    if (this.#gainDb === 0 && this.#factor === 1) return;
    let peak = 0;
    for (let n = 0; n < block.length; n += 1) peak = Math.max(peak, Math.abs(block[n] ?? 0));
    const free = Math.max(0, 20 * Math.log10(ceiling / Math.max(peak, 1e-6)));
    this.#nowDb = Math.min(this.#gainDb, free, Math.max(0, this.#nowDb) + releaseDb * share);
    // Limits immediately, since a shout masks the step; otherwise interpolates between steps.
    const from = Math.min(this.#factor, Math.max(1, ceiling / Math.max(peak, 1e-6)));
    this.#factor = 10 ** (this.#nowDb / 20);
    const rise = (this.#factor - from) / block.length;
    for (let n = 0; n < block.length; n += 1) block[n] = (block[n] ?? 0) * (from + rise * (n + 1));
  }
}
