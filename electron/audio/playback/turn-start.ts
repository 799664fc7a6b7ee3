import type { AnswerStart } from '../../../shared/settings/talking-settings.ts';
import { gentleStretch, maxStretch, timeStretch } from '../dsp/time-stretch.ts';
import type { Concealment } from './concealment.ts';
import type { ServerPaceTracker } from './server-pace.ts';

/** The inputs of a turn's start. */
interface TurnStartOptions {
  readonly rate: number;
  readonly pace: Pick<ServerPaceTracker, 'coverMs' | 'learned' | 'limitMs'>;
  /** Would conceal a gap behind the turn; nobody else's until the turn has started. */
  readonly concealment: Concealment;
  /** The person's setting. */
  readonly starts: AnswerStart;
}

/** The gap that can be concealed is looked up again after this much sound: a server may send it sample by sample. */
const askEveryMs = 20;
/** With the smoothest start, steps that come at least this much later than any did are waited for. */
const smoothMs = 100;

/** When a turn starts: as soon as what has come of it can be made to last until more is expected. */
export class TurnStart {
  readonly #options: TurnStartOptions;
  /** How long the sound that has to last until more comes may be made, as a share of it. */
  readonly mostStretch: number;
  #at = Infinity;
  /** In samples, which add up to what they are. */
  #held = 0;
  /** How long what has come can be made. */
  #reachMs = 0;
  /** The gap behind it that may be concealed, if it comes to that… */
  #bridgeMs = 0;
  /** …as it was when so much had come. */
  #askedAt = 0;
  #lastsUntil = 0;

  constructor(options: TurnStartOptions) {
    this.#options = options;
    this.mostStretch = options.starts === 'smoothest' ? gentleStretch : maxStretch;
    options.concealment.forget();
  }

  /** More has come before the start, while the speaker has so much left of other sound: says when it should start. */
  add(samples: Float32Array, now: number, leftMs: number): number {
    this.#held += samples.length;
    this.#lastsUntil = now + this.#coverMs;
    this.#reachMs += this.#longestMs(samples);
    this.#askBridge(samples);
    const mustWait = this.lackMs(now, leftMs) > this.#reachMs;
    const from = mustWait ? this.#lastsUntil - this.#bridgedMs - this.#reachMs : now;
    this.#at = Math.min(this.#at, from);
    return this.#at;
  }

  /** It is all there: nothing has to last any longer than it does. */
  complete(): void {
    this.#lastsUntil = 0;
  }

  /** How long the turn's sound would have to be made, to last as long as it should. */
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

  /** Only who would have to wait counts on what conceals a gap, and the less the more steps are late by. */
  get #bridgedMs(): number {
    const { starts, pace } = this.#options;
    if (starts === 'smoothest') return 0;
    const lateMs = starts === 'soonest' ? 0 : pace.learned.spreadMs;
    return Math.max(0, this.#bridgeMs - lateMs);
  }

  #askBridge(samples: Float32Array): void {
    const { concealment } = this.#options;
    concealment.follow(samples);
    if (this.#ms(this.#held - this.#askedAt) < askEveryMs) return;
    this.#askedAt = this.#held;
    concealment.begin();
    this.#bridgeMs = concealment.bridgeMs;
  }

  /** How long a sound can be made, found out by doing so. */
  #longestMs(samples: Float32Array): number {
    const { rate } = this.#options;
    const longer = timeStretch(samples, Infinity, rate, () => undefined, this.mostStretch);
    return this.#ms(samples.length + longer);
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.#options.rate;
  }
}
