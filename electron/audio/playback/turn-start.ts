import type { AnswerStart } from '../../../shared/settings/talking-settings.ts';
import { gentleStretch, maxStretch, timeStretch } from '../dsp/time-stretch.ts';
import type { Concealment } from './concealment.ts';
import type { ServerPaceTracker } from './server-pace.ts';

interface TurnStartOptions {
  readonly rate: number;
  readonly pace: Pick<ServerPaceTracker, 'coverMs' | 'learned' | 'limitMs'>;
  /** Exclusive to this turn until it starts. */
  readonly concealment: Concealment;
  readonly starts: AnswerStart;
}

/** The concealable gap is updated after this much sound, because a server may send sample by sample. */
const updateEveryMs = 20;
/** Extra wait of the smoothest start, on top of the learned pace. */
const smoothMs = 100;

/** Decides when a turn starts: as soon as its sound can be stretched to last until more is expected. */
export class TurnStart {
  readonly #options: TurnStartOptions;
  /** Largest stretch of that sound, as a share. */
  readonly mostStretch: number;
  #at = Infinity;
  /** In samples, to avoid rounding errors. */
  #heldSamples = 0;
  /** Length of the available sound after stretching. */
  #reachMs = 0;
  /** Length of a gap that could be concealed. */
  #bridgeMs = 0;
  /** Amount of sound, in samples, for which that was computed. */
  #updatedAt = 0;
  #lastsUntil = 0;

  constructor(options: TurnStartOptions) {
    this.#options = options;
    this.mostStretch = options.starts === 'smoothest' ? gentleStretch : maxStretch;
    options.concealment.forget();
  }

  /** Adds sound before the start, while the speaker has `leftMs` of other sound left. Returns the time to start. */
  add(samples: Float32Array, now: number, leftMs: number): number {
    this.#heldSamples += samples.length;
    this.#lastsUntil = now + this.#coverMs;
    this.#reachMs += this.#longestMs(samples);
    this.#updateBridge(samples);
    const mustWait = this.lackMs(now, leftMs) > this.#reachMs;
    const from = mustWait ? this.#lastsUntil - this.#bridgedMs - this.#reachMs : now;
    this.#at = Math.min(this.#at, from);
    return this.#at;
  }

  /** The turn is complete, so its sound need not last longer. */
  complete(): void {
    this.#lastsUntil = 0;
  }

  lackMs(now: number, leftMs: number): number {
    return this.#lastsUntil - now - leftMs;
  }

  get #coverMs(): number {
    const { starts, pace } = this.#options;
    const { coverMs, learned, limitMs } = pace;
    if (starts === 'balanced') return coverMs;
    if (starts === 'soonest') return Math.min(coverMs, learned.typicalMs);
    return Math.min(coverMs + Math.max(smoothMs, learned.spreadMs), limitMs);
  }

  /** Counts on concealment only if the turn would wait otherwise; the later its steps are, the less. */
  get #bridgedMs(): number {
    const { starts, pace } = this.#options;
    if (starts === 'smoothest') return 0;
    const lateMs = starts === 'soonest' ? 0 : pace.learned.spreadMs;
    return Math.max(0, this.#bridgeMs - lateMs);
  }

  #updateBridge(samples: Float32Array): void {
    const { concealment } = this.#options;
    concealment.follow(samples);
    if (this.#ms(this.#heldSamples - this.#updatedAt) < updateEveryMs) return;
    this.#updatedAt = this.#heldSamples;
    concealment.begin();
    this.#bridgeMs = concealment.bridgeMs;
  }

  /** Measures the longest stretch by doing it. */
  #longestMs(samples: Float32Array): number {
    const { rate } = this.#options;
    const longer = timeStretch(samples, Infinity, rate, () => undefined, this.mostStretch);
    return this.#ms(samples.length + longer);
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.#options.rate;
  }
}
