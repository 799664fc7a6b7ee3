import type { AudioSettings, Clearing } from '../../../shared/settings/audio-settings.ts';
import { VoiceModel, voiceStep } from '../detection/voice-model.ts';
import { levelDb, powerDb } from '../dsp/loudness.ts';
import { NoiseGains, SteeredFilter } from './noise-suppression.ts';

/** The person's settings for a microphone's sound; read with every block, because they may change during a talk. */
export type EnhancementChoice = () => Pick<AudioSettings, 'noise' | 'level'>;

/**
 * The step after the echo canceller in a microphone's sound: whether somebody speaks is found out, the noise of the room is
 * made softer, and who speaks is brought to one loudness. Costs 5 ms where noise is taken out, and nothing where not.
 */
export class CaptureEnhancement {
  readonly #chosen: EnhancementChoice;
  readonly #voice = new VoiceModel();
  readonly #gains = new NoiseGains();
  readonly #filter = new SteeredFilter();
  readonly #level = new SteadyLevel();
  #noise: Clearing = 'off';

  constructor(chosen: EnhancementChoice) {
    this.#chosen = chosen;
  }

  /** How likely somebody spoke in the newest 10 ms. */
  get likelihood(): number {
    return this.#voice.likelihood;
  }

  /** Another device, or none: what comes now has nothing to do with what came before. */
  reset(): void {
    this.#voice.reset();
    this.#gains.reset();
    this.#filter.reset();
    this.#level.reset();
  }

  /** In place. */
  process(block: Float32Array): void {
    const { noise, level } = this.#chosen();
    this.#switch(noise);
    for (let from = 0; from < block.length;) {
      const part = block.subarray(from, from + this.#voice.missing);
      from += part.length;
      this.#voice.push(part);
      if (noise !== 'off') this.#clear(part, noise);
      this.#level.process(part, this.#voice.likelihood, level);
    }
  }

  #clear(part: Float32Array, noise: Exclude<Clearing, 'off'>): void {
    if (this.#voice.isWhole) {
      this.#gains.follow(this.#voice.power, this.#voice.likelihood, noise);
      this.#filter.steer(this.#gains.values);
    }
    this.#filter.process(part);
  }

  /** The filter has heard nothing while it was off. */
  #switch(noise: Clearing): void {
    if (this.#noise === 'off' && noise !== 'off') {
      this.#gains.reset();
      this.#filter.reset();
    }
    this.#noise = noise;
  }
}

interface Reach {
  readonly mostDb: number;
  readonly leastDb: number;
}

const reaches: Record<Exclude<Clearing, 'off'>, Reach> = {
  gentle: { mostDb: 9, leastDb: -6 },
  strong: { mostDb: 18, leastDb: -14 },
};
/** As loud is speech that a model hears well and that never clips. */
const wantedDb = -24;
/** Likely so much, and it is somebody whose loudness counts… */
const speaking = 0.7;
/** …where it is no softer than this beside how loud they are: the ends of words say nothing. */
const softDb = 15;
/** Steps of a voice until it is known how loud it is at first, and how many count later. */
const firstSteps = 30;
const memorySteps = 150;
/** So near is near enough: a level that follows each word is heard to pump. Once it moves it goes all the way. */
const nearDb = 1;
/** By step, while somebody speaks: 6 dB a second up, 15 down. */
const upDb = 0.06;
const downDb = 0.15;
/** The room itself is made no louder than this. */
const loudestRoomDb = -42;
const roomRise = 0.02;
const roomFall = 0.1;
/** A sample louder than this is turned down for a moment. */
const ceiling = 0.89;
/** And comes back by 20 dB a second. */
const releaseDb = 0.2;

/** Brings whoever speaks to one loudness, slowly; learns only while somebody does. */
class SteadyLevel {
  #power = 0;
  #steps = 0;
  #roomDb: number | undefined;
  /** The wanted gain, and the part of it that a peak leaves. */
  #gainDb = 0;
  #nowDb = 0;
  #factor = 1;
  #moves = false;

  reset(): void {
    this.#power = 0;
    this.#steps = 0;
    this.#roomDb = undefined;
    this.#gainDb = 0;
    this.#nowDb = 0;
    this.#factor = 1;
    this.#moves = false;
  }

  /** In place: a step of 10 ms or a part of one, and how likely somebody speaks in it. */
  process(block: Float32Array, likelihood: number, clearing: Clearing): void {
    const share = block.length / voiceStep;
    if (clearing === 'off') this.#approach(0, share);
    // A few samples are too short to measure.
    else if (share >= 0.5) this.#follow(levelDb(block), likelihood, reaches[clearing], share);
    this.#apply(block, share);
  }

  #follow(level: number, likelihood: number, { mostDb, leastDb }: Reach, share: number): void {
    this.#followRoom(level, likelihood);
    if (likelihood < speaking || level < this.#voiceDb - softDb) return;
    this.#steps += 1;
    this.#power += (10 ** (level / 10) - this.#power) / Math.min(this.#steps, memorySteps);
    if (this.#steps < firstSteps) return;
    const most = Math.min(mostDb, Math.max(0, loudestRoomDb - (this.#roomDb ?? 0)));
    const goal = Math.max(leastDb, Math.min(most, wantedDb - this.#voiceDb));
    const far = Math.abs(goal - this.#gainDb);
    this.#moves = far > nearDb || (this.#moves && far > upDb);
    if (this.#moves) this.#approach(goal, share);
  }

  /** As loud as it is when nobody speaks; what is softer can only be the room. */
  #followRoom(level: number, likelihood: number): void {
    const way = level - (this.#roomDb ?? level);
    const share = way < 0 ? roomFall : likelihood < speaking / 2 ? roomRise : 0;
    this.#roomDb = level - way + share * way;
  }

  #approach(goal: number, share: number): void {
    const way = goal - this.#gainDb;
    this.#gainDb += Math.max(-downDb * share, Math.min(upDb * share, way));
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
    // At once where it would be too loud: a shout covers the step. Else evenly, from one step to the next.
    const from = Math.min(this.#factor, Math.max(1, ceiling / Math.max(peak, 1e-6)));
    this.#factor = 10 ** (this.#nowDb / 20);
    const rise = (this.#factor - from) / block.length;
    for (let n = 0; n < block.length; n += 1) block[n] = (block[n] ?? 0) * (from + rise * (n + 1));
  }
}
