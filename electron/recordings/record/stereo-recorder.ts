import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { WavWriter } from '../tape/tape.ts';

/** Resamples from the microphone's rate to the output rate. */
export interface TapeUpsampler {
  readonly convert: (block: Float32Array) => Float32Array;
  readonly restart: () => void;
}

export type TalkSide = 'you' | 'parley';

/** Sound within this tolerance is contiguous, because clocks and threads are not exact. */
const jitterFrames = outputRate / 10;
/** A frame is written after this time, because pre-roll arrives half a second late. */
const lagFrames = outputRate * 0.8;
const minFrames = outputRate / 10;
const maxPauseFrames = outputRate * 2;
/** Longer silence is shortened to this, because a paused talk or a sleeping machine can be silent for hours. */
const maxSilenceFrames = outputRate * 60;
/** The file ends after this time, below the size limit of WAV. Other files of the tape continue. */
const defaultMaxSeconds = 4 * 3600;
const perSample = outputRate / inputRate;

/**
 * Writes both voices as one stereo file for listening. Left is the user as sent to the server,
 * right is what was heard of the answer, each at its real time.
 */
export class StereoRecorder {
  readonly #wav: WavWriter;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #upsampler: TapeUpsampler;
  readonly #maxFrames: number;
  /** Frames that may still change, interleaved, starting at the first unwritten frame. */
  #window = new Float32Array(2 * outputRate * 2);
  #written = 0;
  #filled = 0;
  /** Next write position of the user's sound, and its end including samples inside the upsampler. */
  #userPosition = 0;
  #userEnd = 0;
  #heardEnd = 0;
  /** End of the last heard sound, without trailing silence. */
  #soundEnd = 0;
  #skipped = 0;

  /** @param wav stereo, at the output rate */
  constructor(
    wav: WavWriter,
    clock: Clock,
    upsampler: TapeUpsampler,
    maxSeconds = defaultMaxSeconds,
  ) {
    this.#wav = wav;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#upsampler = upsampler;
    this.#maxFrames = maxSeconds * outputRate;
  }

  /** Adds sound that ends now. */
  addSound(who: TalkSide, samples: Float32Array): void {
    const now = this.#now();
    if (now > this.#maxFrames || samples.length === 0) return;
    if (who === 'parley' && isSilent(samples)) {
      // Written only when sound follows: the speaker still reports silence long after the talk has ended.
      this.#addSilence(samples.length, now);
      return;
    }
    const from = now - samples.length * (who === 'you' ? perSample : 1);
    this.#writeDue(Math.min(from - jitterFrames, now - lagFrames));
    if (who === 'you') this.#addUser(samples, now);
    else this.#addHeard(samples, from);
    this.#writeDue(Math.max(now, this.#heardEnd) - lagFrames);
  }

  finish(): Promise<Outcome<undefined>> {
    this.#writeTo(this.#filled);
    return this.#wav.finish();
  }

  #now(): number {
    const since = Math.round(((this.#clock.now() - this.#startedAt) * outputRate) / 1000);
    const latest = Math.max(this.#userEnd, this.#heardEnd, this.#written);
    this.#skipped += Math.max(0, since - this.#skipped - latest - maxSilenceFrames);
    return since - this.#skipped;
  }

  #addUser(samples: Float32Array, now: number): void {
    const length = samples.length * perSample;
    const from = now - length;
    if (Math.abs(from - this.#userEnd) >= jitterFrames) {
      this.#userEnd = Math.max(Math.round(from), this.#written);
      this.#userPosition = this.#userEnd;
      this.#upsampler.restart();
    }
    const sound = this.#upsampler.convert(samples);
    this.#put(0, this.#userPosition, sound);
    this.#userPosition += sound.length;
    this.#userEnd += length;
  }

  /** Counts silence as heard. The silence before an answer comes in one block when the answer begins, so it lies in the past. */
  #addSilence(frames: number, now: number): void {
    const until = Math.max(now, this.#soundEnd + maxPauseFrames);
    this.#heardEnd = Math.max(this.#heardEnd, Math.min(this.#heardEnd + frames, until));
  }

  /** Adds sound of the answer. It may last longer than the time since the last call, because a speaker that was silent takes several blocks at once. */
  #addHeard(samples: Float32Array, from: number): void {
    if (from - this.#heardEnd >= jitterFrames) this.#heardEnd = Math.round(from);
    this.#put(1, this.#heardEnd, samples);
    this.#heardEnd += samples.length;
    this.#soundEnd = this.#heardEnd;
  }

  #put(channel: 0 | 1, position: number, samples: Float32Array): void {
    const first = position - this.#written;
    this.#growWindow(first + samples.length);
    for (let n = Math.max(0, -first); n < samples.length; n += 1)
      this.#window[2 * (first + n) + channel] = samples[n] ?? 0;
    this.#filled = Math.max(this.#filled, position + samples.length);
  }

  #growWindow(frames: number): void {
    if (frames * 2 <= this.#window.length) return;
    const larger = new Float32Array(Math.max(frames * 2, this.#window.length * 2));
    larger.set(this.#window);
    this.#window = larger;
  }

  #writeDue(until: number): void {
    if (until - this.#written >= minFrames) this.#writeTo(until);
  }

  #writeTo(until: number): void {
    while (this.#written < until) {
      const frames = Math.min(until - this.#written, this.#window.length / 2);
      this.#wav.write(this.#window.subarray(0, frames * 2));
      const filled = Math.max(0, this.#filled - this.#written);
      this.#window.copyWithin(0, frames * 2, filled * 2);
      this.#window.fill(0, Math.max(0, filled - frames) * 2, filled * 2);
      this.#written += frames;
    }
  }
}

function isSilent(block: Float32Array): boolean {
  // A plain loop: a callback per sample costs more than the rest of this class.
  for (let n = 0; n < block.length; n += 1) if (block[n] !== 0) return false;
  return true;
}
