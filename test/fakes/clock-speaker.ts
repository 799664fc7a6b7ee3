import type { SpeakerSink } from '../../electron/conversation/open-playback.ts';
import type { Clock } from '../../electron/ports/clock.ts';

const samplesPerMs = 24;

/** A loudspeaker that plays what it has, as its clock goes on, and is silent at once. */
export class ClockSpeaker implements SpeakerSink {
  readonly gains: number[] = [];
  /** Everything it was given, flushed or not. */
  readonly given: Float32Array[] = [];
  readonly #clock: Clock;
  #written = 0;
  #heard = 0;
  #at = 0;
  /** The device is gone: what is queued waits. */
  lost = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly write = (samples: Float32Array): void => {
    this.heard();
    this.given.push(samples);
    this.#written += samples.length;
  };

  readonly flush = (): { readonly heard: number; readonly dropped: number } => {
    const heard = this.heard();
    const dropped = this.#written - heard;
    this.#written = heard;
    return { heard, dropped };
  };

  readonly heard = (): number => {
    const now = this.#clock.now();
    const passed = this.lost ? 0 : Math.max(0, now - this.#at) * samplesPerMs;
    this.#heard = Math.min(this.#written, Math.round(this.#heard + passed));
    this.#at = now;
    return this.#heard;
  };

  readonly queued = (): number => this.#written - this.heard();

  readonly setDuckGain = (gain: number): void => {
    this.gains.push(gain);
  };
}
