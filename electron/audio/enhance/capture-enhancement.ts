import type {
  AudioSettings,
  EnhancementStrength,
} from '../../../shared/settings/audio-settings.ts';
import { VoiceModel, voiceStepSamples } from '../detection/voice-model.ts';
import { levelDb, powerDb } from '../dsp/loudness.ts';
import { filterDelayMs, NoiseGains, SpectralFilter } from './noise-suppression.ts';

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

  /** How much later than its input the output is. */
  get delayMs(): number {
    return this.#chosen().noise === 'off' ? 0 : filterDelayMs;
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
    this.#resetIfSwitchedOn(noise);
    for (let from = 0; from < block.length;) {
      const part = block.subarray(from, from + this.#voice.missingSamples);
      from += part.length;
      this.#voice.push(part);
      if (noise !== 'off') this.#suppressNoise(part, noise);
      this.#level.process(part, this.#voice.likelihood, level);
    }
  }

  #suppressNoise(part: Float32Array, noise: Exclude<EnhancementStrength, 'off'>): void {
    if (this.#voice.isStepComplete) {
      this.#gains.follow(this.#voice.power, this.#voice.likelihood, noise);
      this.#filter.setGains(this.#gains.values);
    }
    this.#filter.process(part);
  }

  /** Resets the filter when noise suppression is switched on, because its history is old. */
  #resetIfSwitchedOn(noise: EnhancementStrength): void {
    if (this.#noise === 'off' && noise !== 'off') {
      this.#gains.reset();
      this.#filter.reset();
    }
    this.#noise = noise;
  }
}

interface GainLimits {
  readonly maxDb: number;
  readonly minDb: number;
}

const gainLimits: Record<Exclude<EnhancementStrength, 'off'>, GainLimits> = {
  gentle: { maxDb: 9, minDb: -6 },
  strong: { maxDb: 18, minDb: -14 },
};
/** Target level of speech: loud enough for the model, without clipping. */
const targetDb = -24;
const minSpeechLikelihood = 0.7;
/** Speech this far below the user's level, such as the end of a word, is not measured. */
const maxBelowVoiceDb = 15;
/** Steps of 10 ms with speech before the first estimate of the user's level. */
const firstSteps = 30;
/** Steps of 10 ms with speech in the moving average of that level. */
const memorySteps = 150;
/**
 * The gain stays while the level deviates less, because following each word would pump. Otherwise it moves to the
 * target.
 */
const toleranceDb = 1;
/** Change of the gain per step of 10 ms: 6 dB/s up, 15 dB/s down. */
const riseDb = 0.06;
const fallDb = 0.15;
/** The gain must not raise the noise of the room above this level. */
const maxRoomDb = -42;
/** Smoothing factors of the room's noise level, per step of 10 ms. */
const roomRise = 0.02;
const roomFall = 0.1;
/** Peak above which the limiter works: −1 dB. */
const ceiling = 0.89;
/** Recovery of the limiter per step: 20 dB/s. */
const releaseStepDb = 0.2;

/** Brings speech slowly to a constant level. Measures the level only during speech. When switched off, the gain returns to 0 dB. */
class AutomaticGain {
  #power = 0;
  #steps = 0;
  #roomDb: number | undefined;
  #gainDb = 0;
  #limitedDb = 0;
  #factor = 1;
  #isAdjusting = false;

  reset(): void {
    this.#power = 0;
    this.#steps = 0;
    this.#roomDb = undefined;
    this.#gainDb = 0;
    this.#limitedDb = 0;
    this.#factor = 1;
    this.#isAdjusting = false;
  }

  /** Processes up to 10 ms in place; `likelihood` is the probability of speech in it. */
  process(block: Float32Array, likelihood: number, strength: EnhancementStrength): void {
    const share = block.length / voiceStepSamples;
    if (strength === 'off') this.#approach(0, share);
    // Less than half a step is too short to measure.
    else if (share >= 0.5) this.#follow(levelDb(block), likelihood, gainLimits[strength], share);
    this.#apply(block, share);
  }

  #follow(level: number, likelihood: number, { maxDb, minDb }: GainLimits, share: number): void {
    this.#followRoom(level, likelihood);
    if (likelihood < minSpeechLikelihood || level < this.#voiceDb - maxBelowVoiceDb) return;
    this.#steps += 1;
    this.#power += (10 ** (level / 10) - this.#power) / Math.min(this.#steps, memorySteps);
    if (this.#steps < firstSteps) return;
    const maxGainDb = Math.min(maxDb, Math.max(0, maxRoomDb - (this.#roomDb ?? 0)));
    const targetGainDb = Math.max(minDb, Math.min(maxGainDb, targetDb - this.#voiceDb));
    const distanceDb = Math.abs(targetGainDb - this.#gainDb);
    this.#isAdjusting = distanceDb > toleranceDb || (this.#isAdjusting && distanceDb > riseDb);
    if (this.#isAdjusting) this.#approach(targetGainDb, share);
  }

  /** Tracks the noise level; anything softer than the estimate must be noise. */
  #followRoom(level: number, likelihood: number): void {
    const difference = level - (this.#roomDb ?? level);
    const share = difference < 0 ? roomFall : likelihood < minSpeechLikelihood / 2 ? roomRise : 0;
    this.#roomDb = level - difference + share * difference;
  }

  #approach(targetGainDb: number, share: number): void {
    const difference = targetGainDb - this.#gainDb;
    this.#gainDb += Math.max(-fallDb * share, Math.min(riseDb * share, difference));
  }

  get #voiceDb(): number {
    return powerDb(this.#power);
  }

  #apply(block: Float32Array, share: number): void {
    if (this.#gainDb === 0 && this.#factor === 1) return;
    let peak = 0;
    for (let n = 0; n < block.length; n += 1) peak = Math.max(peak, Math.abs(block[n] ?? 0));
    const free = Math.max(0, 20 * Math.log10(ceiling / Math.max(peak, 1e-6)));
    this.#limitedDb = Math.min(
      this.#gainDb,
      free,
      Math.max(0, this.#limitedDb) + releaseStepDb * share,
    );
    // If the block would clip at the old gain, the limited gain applies at once, because a shout masks the jump. Otherwise the
    // gain is interpolated within the block.
    const startFactor = Math.min(this.#factor, Math.max(1, ceiling / Math.max(peak, 1e-6)));
    this.#factor = 10 ** (this.#limitedDb / 20);
    const rise = (this.#factor - startFactor) / block.length;
    for (let n = 0; n < block.length; n += 1)
      block[n] = (block[n] ?? 0) * (startFactor + rise * (n + 1));
  }
}
