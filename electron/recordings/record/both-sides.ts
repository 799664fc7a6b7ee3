import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { WavWriter } from '../tape/sound-writer.ts';

/** A stream of sound from the microphone's rate to that of the answer. */
export interface TapeUpsampler {
  readonly convert: (block: Float32Array) => Float32Array;
  readonly restart: () => void;
}

/** Whose voice it is. */
export type TalkSide = 'you' | 'parley';

/** What begins within so much of where the last ended follows it: clocks and threads are not exact. */
const jitterFrames = outputRate / 10;
/** What was said before the talk key was down comes half a second late. */
const lagFrames = outputRate * 0.8;
const leastFrames = outputRate / 10;
/** In the middle of an answer. */
const longestPause = outputRate * 2;
/** While a talk is paused, or the machine sleeps, nothing comes for hours. */
const maxSilenceFrames = outputRate * 60;
/** Below what a file may have; the parts beside it go on. */
const defaultMaxSeconds = 4 * 3600;
const perSample = outputRate / inputRate;

/**
 * Both voices as one stereo file, for whoever wants to hear what happened: on the left the person, as far as it may go to the
 * server, on the right what was heard of the answer, each at the time when it was.
 */
export class BothSides {
  readonly #wav: WavWriter;
  readonly #clock: Clock;
  readonly #began: number;
  readonly #upsampler: TapeUpsampler;
  readonly #maxFrames: number;
  /** What may still change, left and right in turn, from the first frame that is not written. */
  #window = new Float32Array(2 * outputRate * 2);
  #written = 0;
  #filled = 0;
  /** Where the person's sound is put next, and where it ends with what the upsampler holds back. */
  #yourPlace = 0;
  #yourEnd = 0;
  #heardEnd = 0;
  /** The same without the silence after it. */
  #soundEnd = 0;
  /** Silence that was left out. */
  #skipped = 0;

  /** @param wav of two channels, at the answer's rate */
  constructor(
    wav: WavWriter,
    clock: Clock,
    upsampler: TapeUpsampler,
    maxSeconds = defaultMaxSeconds,
  ) {
    this.#wav = wav;
    this.#clock = clock;
    this.#began = clock.now();
    this.#upsampler = upsampler;
    this.#maxFrames = maxSeconds * outputRate;
  }

  /** What has just been said or heard: its last sample is of now. */
  sounded(who: TalkSide, samples: Float32Array): void {
    const now = this.#now();
    if (now > this.#maxFrames || samples.length === 0) return;
    if (who === 'you') this.#said(samples, now);
    else this.#heard(samples, now);
    const until = Math.max(now, this.#heardEnd) - lagFrames;
    if (until - this.#written >= leastFrames) this.#writeTo(until);
  }

  finish(): Promise<Outcome<undefined>> {
    this.#writeTo(this.#filled);
    return this.#wav.finish();
  }

  #now(): number {
    const since = Math.round(((this.#clock.now() - this.#began) * outputRate) / 1000);
    const latest = Math.max(this.#yourEnd, this.#heardEnd, this.#written);
    this.#skipped += Math.max(0, since - this.#skipped - latest - maxSilenceFrames);
    return since - this.#skipped;
  }

  /** What was said before the key was down stands where silence stood. */
  #said(samples: Float32Array, now: number): void {
    const length = samples.length * perSample;
    const from = now - length;
    if (Math.abs(from - this.#yourEnd) >= jitterFrames) {
      this.#yourEnd = Math.max(Math.round(from), this.#written);
      this.#yourPlace = this.#yourEnd;
      this.#upsampler.restart();
    }
    const sound = this.#upsampler.convert(samples);
    this.#put(0, this.#yourPlace, sound);
    this.#yourPlace += sound.length;
    this.#yourEnd += length;
  }

  /** What is played at once, as where nobody listens to the end of it, has its own length. */
  #heard(samples: Float32Array, now: number): void {
    if (isSilent(samples)) {
      // What was silent before an answer is said when it begins, all at once: it is over by now.
      const until = Math.max(now, this.#soundEnd + longestPause);
      this.#heardEnd = Math.max(this.#heardEnd, Math.min(this.#heardEnd + samples.length, until));
      return;
    }
    const from = now - samples.length;
    if (from - this.#heardEnd >= jitterFrames) this.#heardEnd = Math.round(from);
    this.#put(1, this.#heardEnd, samples);
    this.#heardEnd += samples.length;
    this.#soundEnd = this.#heardEnd;
  }

  #put(channel: 0 | 1, place: number, samples: Float32Array): void {
    const first = place - this.#written;
    this.#makeRoom(first + samples.length);
    for (let n = Math.max(0, -first); n < samples.length; n += 1)
      this.#window[2 * (first + n) + channel] = samples[n] ?? 0;
    this.#filled = Math.max(this.#filled, place + samples.length);
  }

  #makeRoom(frames: number): void {
    if (frames * 2 <= this.#window.length) return;
    const larger = new Float32Array(Math.max(frames * 2, this.#window.length * 2));
    larger.set(this.#window);
    this.#window = larger;
  }

  #writeTo(until: number): void {
    while (this.#written < until) {
      const frames = Math.min(until - this.#written, this.#window.length / 2);
      this.#wav.write(this.#window.subarray(0, frames * 2));
      // Behind what is filled there is nothing but silence.
      const filled = Math.max(0, this.#filled - this.#written);
      this.#window.copyWithin(0, frames * 2, filled * 2);
      this.#window.fill(0, Math.max(0, filled - frames) * 2, filled * 2);
      this.#written += frames;
    }
  }
}

function isSilent(block: Float32Array): boolean {
  // By index: a callback for each sample costs more than all else that is done with it.
  for (let n = 0; n < block.length; n += 1) if (block[n] !== 0) return false;
  return true;
}
