import { PlayoutBuffer } from '../../electron/audio/playback/playout-buffer.ts';
import type { PlayoutSink } from '../../electron/audio/playback/speaker.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { FakeClock } from './fake-clock.ts';

const fadeMs = 5;

/**
 * A fake speaker that plays a block at even intervals, and whose output can be read. Like the real one, it fades out
 * when its queue is empty or flushed, and fades in when sound continues.
 */
export class FakeSpeaker implements PlayoutSink {
  readonly buffer = new PlayoutBuffer();
  readonly output: number[] = [];
  readonly gains: number[] = [];
  readonly #clock: FakeClock;
  readonly #block: number;
  readonly #blockMs: number;
  readonly #fade: number;
  #queue: number[] = [];
  #written = 0;
  #heard = 0;
  #lastSample = 0;
  #fadedIn = 0;
  #fadedOut = Infinity;
  #stopped = false;
  /** How many samples of the fade remain after a flush. */
  #fading = 0;

  constructor(clock: FakeClock, rate: number, blockMs = 20) {
    this.#clock = clock;
    this.#blockMs = blockMs;
    this.#block = Math.round((rate * blockMs) / 1000);
    this.#fade = Math.max(1, Math.round((rate * fadeMs) / 1000));
    this.#scheduleBlock();
  }

  writes = 0;

  /** How many samples were written and not flushed. */
  get written(): number {
    return this.#written;
  }

  send(): void {
    this.follow();
    const samples = this.buffer.unsent(Infinity);
    if (samples === undefined) return;
    this.buffer.send(samples.length);
    for (const sample of samples) this.#queue.push(sample);
    this.#written += samples.length;
    this.writes += 1;
  }

  follow(): void {
    this.buffer.playedTo(this.#heard);
    this.buffer.heardTo(this.#heard);
  }

  flush(): ReturnType<PlayoutSink['flush']> {
    this.follow();
    const fading = Math.min(this.#queue.length, this.#fade);
    this.#written -= this.#queue.length - fading;
    this.#queue.length = fading;
    this.#queue.forEach((sample, n) => {
      this.#queue[n] = sample * (1 - (n + 1) / (fading + 1));
    });
    this.#fading = fading;
    if (fading === 0) this.#fadedIn = 0;
    this.buffer.playedTo(this.#heard + fading);
    return { ...this.buffer.cut(), heard: this.buffer.played };
  }

  /** How many written samples have not played. */
  queued(): number {
    return this.#queue.length;
  }

  setDuckGain(gain: number): void {
    this.gains.push(gain);
  }

  stop(stopped: boolean): void {
    this.#stopped = stopped;
  }

  #scheduleBlock(): void {
    this.#clock.after(this.#blockMs, () => {
      this.#scheduleBlock();
      if (!this.#stopped) this.#playBlock();
    });
  }

  #playBlock(): void {
    const block = this.#queue.splice(0, this.#block);
    this.#heard += block.length;
    for (const sample of block) {
      const gain = Math.min(1, (this.#fadedIn + 1) / (this.#fade + 1));
      this.#fadedIn += 1;
      this.#lastSample = sample * gain;
      this.#fadedOut = 0;
      this.output.push(this.#lastSample);
      if (this.#fading > 0 && (this.#fading -= 1) === 0) this.#fadedIn = 0;
    }
    for (let n = block.length; n < this.#block; n += 1) {
      this.#fadedOut += 1;
      this.#fadedIn = 0;
      this.output.push(this.#lastSample * Math.max(0, 1 - this.#fadedOut / (this.#fade + 1)));
    }
  }
}

const samplesPerMs = 24;

/** A fake speaker that plays as a clock advances, and falls silent at once when it is flushed. */
export class ClockSpeaker implements PlayoutSink {
  readonly buffer = new PlayoutBuffer();
  readonly gains: number[] = [];
  readonly #clock: Clock;
  #updatedAt = 0;
  /** Whether the device is gone. Queued sound then does not play. */
  lost = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  send(): void {
    this.follow();
    this.buffer.send(this.buffer.waiting);
  }

  follow(): void {
    const now = this.#clock.now();
    const passed = this.lost ? 0 : Math.max(0, now - this.#updatedAt) * samplesPerMs;
    this.#updatedAt = now;
    this.buffer.playedTo(Math.round(this.buffer.played + passed));
    this.buffer.heardTo(this.buffer.played);
  }

  flush(): ReturnType<PlayoutSink['flush']> {
    this.follow();
    return { ...this.buffer.cut(), heard: this.buffer.played };
  }

  queued(): number {
    this.follow();
    return this.buffer.waiting;
  }

  heard(): number {
    this.follow();
    return this.buffer.heard;
  }

  setDuckGain(gain: number): void {
    this.gains.push(gain);
  }
}
