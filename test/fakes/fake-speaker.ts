import type { Speaker } from '../../electron/sound/devices/speaker.ts';
import type { FakeClock } from './fake-clock.ts';

const fadeMs = 5;

/**
 * A speaker whose device takes a block at even intervals and can be listened to, silence included.
 * Like the real one it fades away where it runs dry or is flushed, and in where it begins again.
 */
export class FakeSpeaker implements Pick<
  Speaker,
  'write' | 'flush' | 'heard' | 'queued' | 'setDuckGain'
> {
  /** What came out of the device, silence included; `startedAt` is the time of its first sample. */
  readonly output: number[] = [];
  readonly dips: number[] = [];
  readonly #clock: FakeClock;
  readonly #block: number;
  readonly #blockMs: number;
  readonly #fade: number;
  #queue: number[] = [];
  #written = 0;
  #heard = 0;
  #last = 0;
  #fadedIn = 0;
  #fadedOut = Infinity;
  #stopped = false;
  /** So many samples on, what was flushed has faded away. */
  #fading = 0;

  constructor(clock: FakeClock, rate: number, blockMs = 20) {
    this.#clock = clock;
    this.#blockMs = blockMs;
    this.#block = Math.round((rate * blockMs) / 1000);
    this.#fade = Math.max(1, Math.round((rate * fadeMs) / 1000));
    this.#goOn();
  }

  /** How often it was given something. */
  writes = 0;

  /** All that was ever written and not flushed. */
  get written(): number {
    return this.#written;
  }

  readonly write = (samples: Float32Array): void => {
    for (let n = 0; n < samples.length; n += 1) this.#queue.push(samples[n] ?? 0);
    this.#written += samples.length;
    this.writes += 1;
  };

  readonly flush = (): { readonly heard: number; readonly dropped: number } => {
    const fading = Math.min(this.#queue.length, this.#fade);
    const dropped = this.#queue.length - fading;
    this.#queue.length = fading;
    this.#queue.forEach((sample, n) => {
      this.#queue[n] = sample * (1 - (n + 1) / (fading + 1));
    });
    this.#written -= dropped;
    this.#fading = fading;
    if (fading === 0) this.#fadedIn = 0;
    return { heard: this.#heard + fading, dropped };
  };

  readonly heard = (): number => this.#heard;

  readonly queued = (): number => this.#queue.length;

  readonly setDuckGain = (gain: number): void => {
    this.dips.push(gain);
  };

  /** Its device takes nothing any more, or again. */
  stop(stopped: boolean): void {
    this.#stopped = stopped;
  }

  #goOn(): void {
    this.#clock.after(this.#blockMs, () => {
      this.#goOn();
      if (!this.#stopped) this.#take();
    });
  }

  #take(): void {
    const taken = this.#queue.splice(0, this.#block);
    this.#heard += taken.length;
    for (const sample of taken) {
      const gain = Math.min(1, (this.#fadedIn + 1) / (this.#fade + 1));
      this.#fadedIn += 1;
      this.#last = sample * gain;
      this.#fadedOut = 0;
      this.output.push(this.#last);
      if (this.#fading > 0 && (this.#fading -= 1) === 0) this.#fadedIn = 0;
    }
    for (let n = taken.length; n < this.#block; n += 1) {
      this.#fadedOut += 1;
      this.#fadedIn = 0;
      this.output.push(this.#last * Math.max(0, 1 - this.#fadedOut / (this.#fade + 1)));
    }
  }
}
