import type { AnswerStart } from '../../../shared/settings/app-settings.ts';
import { gentleStretch, maxStretch, timeStretch } from '../dsp/time-stretch.ts';
import type { Concealment } from './concealment.ts';
import type { ServerPaceTracker } from './server-pace.ts';

interface TurnStartOptions {
  readonly rate: number;
  readonly pace: Pick<ServerPaceTracker, 'coverMs' | 'learned' | 'limitMs'>;
  /** Exclusive to this turn until it starts. */
  readonly concealment: Concealment;
  readonly answerStart: AnswerStart;
}

/** The concealable gap is computed once per this much sound, because a server may send sample by sample. */
const updateEveryMs = 20;
/** Minimum extra wait of the smoothest start, beyond what the learned pace needs. */
const smoothestWaitMs = 100;

/** Decides when a turn starts: as soon as its sound, stretched, lasts until more is expected. */
export class TurnStart {
  readonly #options: TurnStartOptions;
  /** Largest stretch of voiced sound, as a share. */
  readonly maxVoicedShare: number;
  #startAt = Infinity;
  #heldSamples = 0;
  /** Length of the held sound after the largest stretch. */
  #stretchedMs = 0;
  /** Length of a gap that could be concealed. */
  #bridgeMs = 0;
  /** Value of `#heldSamples` for which `#bridgeMs` was computed. */
  #bridgedSamples = 0;
  /** Time until which the sound must last. */
  #coverUntil = 0;

  constructor(options: TurnStartOptions) {
    this.#options = options;
    this.maxVoicedShare = options.answerStart === 'smoothest' ? gentleStretch : maxStretch;
    options.concealment.forget();
  }

  /** Adds sound before the start; the speaker still has `bufferedMs` of other sound. Returns the time to start. */
  add(samples: Float32Array, now: number, bufferedMs: number): number {
    this.#heldSamples += samples.length;
    this.#coverUntil = now + this.#coverMs;
    this.#stretchedMs += this.#stretchedLengthMs(samples);
    this.#updateBridge(samples);
    const mustWait = this.missingMs(now, bufferedMs) > this.#stretchedMs;
    const from = mustWait ? this.#coverUntil - this.#bridgedMs - this.#stretchedMs : now;
    this.#startAt = Math.min(this.#startAt, from);
    return this.#startAt;
  }

  /** The turn is complete, so its sound need not last longer. */
  complete(): void {
    this.#coverUntil = 0;
  }

  /** Length of the sound needed from now on, beyond what the speaker has. */
  missingMs(now: number, bufferedMs: number): number {
    return this.#coverUntil - now - bufferedMs;
  }

  get #coverMs(): number {
    const { answerStart, pace } = this.#options;
    const { coverMs, learned, limitMs } = pace;
    if (answerStart === 'balanced') return coverMs;
    if (answerStart === 'soonest') return Math.min(coverMs, learned.typicalMs);
    return Math.min(coverMs + Math.max(smoothestWaitMs, learned.spreadMs), limitMs);
  }

  /**
   * Length of a gap left to concealment, so that the turn starts sooner; shorter if the server's steps are often late.
   */
  get #bridgedMs(): number {
    const { answerStart, pace } = this.#options;
    if (answerStart === 'smoothest') return 0;
    const lateMs = answerStart === 'soonest' ? 0 : pace.learned.spreadMs;
    return Math.max(0, this.#bridgeMs - lateMs);
  }

  #updateBridge(samples: Float32Array): void {
    const { concealment } = this.#options;
    concealment.follow(samples);
    if (this.#ms(this.#heldSamples - this.#bridgedSamples) < updateEveryMs) return;
    this.#bridgedSamples = this.#heldSamples;
    concealment.begin();
    this.#bridgeMs = concealment.bridgeMs;
  }

  /** Stretches the sound to measure its length. */
  #stretchedLengthMs(samples: Float32Array): number {
    const { rate } = this.#options;
    const inserted = timeStretch(samples, Infinity, rate, () => undefined, this.maxVoicedShare);
    return this.#ms(samples.length + inserted);
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.#options.rate;
  }
}
