import { Framer } from '../../../shared/audio/framer.ts';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { Log } from '../../../shared/ports/log.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { EchoState } from '../../../shared/talk/talk-stats.ts';
import { cleanSamples, joinSamples } from '../dsp/samples.ts';
import {
  echoBlockSamples,
  type EchoCanceller,
  type EchoDevices,
  echoMemorySamples,
  type CancellerCache,
  type OpenEchoCanceller,
} from './echo-canceller.ts';
import type { FarEndReference, NewestStretch } from './far-end-signal.ts';
import { capturedClock, GapDetector, SmoothedClock } from './smoothed-clock.ts';

const samplesPerMs = inputRate / 1000;
/** An error this large makes the echo practically uncancelled. */
const slipMs = 0.1;

interface Deps {
  readonly open: OpenEchoCanceller;
  readonly farEnd: FarEndReference;
  readonly log: Log;
  /** Read for every block, because the setting can change during a talk. */
  readonly isEnabled: (devices: EchoDevices) => boolean;
  readonly cache?: CancellerCache | undefined;
}

/**
 * Runs an echo canceller on a microphone's sound. It cuts frames and looks up the far end of each. If no
 * canceller is available or it fails, the sound passes unchanged.
 */
export class EchoCancellation {
  readonly #deps: Deps;
  readonly #framer = new Framer(echoBlockSamples);
  readonly #gap = new GapDetector();
  readonly #reference = new Float32Array(echoBlockSamples);
  readonly #past = new Float32Array(echoMemorySamples);
  #canceller: EchoCanceller | undefined;
  #clock: SmoothedClock | undefined;
  /** Samples since the clock started: received and framed. */
  #taken = 0;
  #framed = 0;
  #newest: NewestStretch | undefined;
  #microphone: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#canceller = this.#open();
  }

  /**
   * `capturedAt` is the time of the block's first sample, on the reference's clock. An incomplete frame waits
   * for the next block.
   */
  process(block: Float32Array, capturedAt: number): Float32Array {
    if (this.state === 'off') return this.#bypass(block);
    const parts = [this.#follow(capturedAt, block.length)];
    this.#taken += block.length;
    for (const frame of this.#framer.push(block)) parts.push(this.#cancel(frame));
    // The canceller may just have failed.
    if (!this.#canceller) parts.push(this.#framer.flush());
    return joinSamples(parts);
  }

  /** Starts a new microphone. */
  begin(microphone: string | undefined): void {
    if (this.#cacheCanceller()) this.#canceller = this.#open();
    this.#microphone = microphone;
    const cached = this.#deps.cache?.take(this.#devices);
    if (cached === undefined) return this.#reset();
    this.#canceller = cached;
    this.#restart();
    this.#guard((canceller) => canceller.resume(this.#past.fill(0)));
  }

  get state(): EchoState {
    const { isEnabled } = this.#deps;
    if (this.#canceller === undefined) return 'off';
    return isEnabled(this.#devices) ? this.#canceller.finding : 'off';
  }

  /** True if the canceller hears near-end sound before it has learned the room. */
  get hasNearEndSpeech(): boolean {
    return this.state !== 'off' && this.#canceller?.hasNearEndSpeech === true;
  }

  close(): void {
    this.#cacheCanceller();
    this.#canceller = undefined;
  }

  #reset(): void {
    this.#restart();
    this.#guard((canceller) => canceller.reset());
  }

  #restart(): void {
    this.#framer.reset();
    this.#clock = undefined;
  }

  get #devices(): EchoDevices {
    return { microphone: this.#microphone, speaker: this.#deps.farEnd.speaker };
  }

  /** Keeps a canceller that has learned the room, for its next use. Returns whether it did. */
  #cacheCanceller(): boolean {
    const { cache } = this.#deps;
    const canceller = this.#canceller;
    if (cache === undefined || canceller?.finding !== 'heard') return false;
    cache.keep(this.#devices, canceller);
    return true;
  }

  /** Without an active canceller, emits the waiting samples and then the block. */
  #bypass(block: Float32Array): Float32Array {
    if (this.#clock === undefined) return block;
    const waited = this.#framer.flush();
    this.#reset();
    return waited.length === 0 ? block : joinSamples([waited, block]);
  }

  /** Follows the clock. At a gap, starts a new clock and returns the samples that waited. */
  #follow(capturedAt: number, length: number): Float32Array {
    const clock = this.#clock;
    // A block without a time continues the previous one.
    if (!Number.isFinite(capturedAt)) return new Float32Array();
    if (clock === undefined) {
      this.#beginClock(capturedAt);
      return new Float32Array();
    }
    if (clock.fits(this.#taken, capturedAt)) {
      this.#gap.reset();
      clock.report(this.#taken, capturedAt);
      return new Float32Array();
    }
    const off = clock.off(this.#taken, capturedAt);
    if (!this.#gap.isGap(off, (1000 * length) / inputRate)) return new Float32Array();
    const before = this.#framer.flush();
    this.#beginClock(capturedAt, clock);
    this.#guard((canceller) => this.#updateFarEnd(canceller, capturedAt));
    return before;
  }

  /** Gives the canceller the far end up to the next frame, as far as it is known. */
  #updateFarEnd(canceller: EchoCanceller, until: number): void {
    const past = this.#past;
    this.#deps.farEnd.fill(past, until + canceller.aheadMs - past.length / samplesPerMs);
    cleanSamples(past);
    canceller.resume(past);
  }

  /**
   * After a break in playback, the time of the new sound is an estimate at first; corrects the canceller once
   * it is known.
   */
  #correct(canceller: EchoCanceller, until: number): void {
    const { newest } = this.#deps.farEnd;
    const before = this.#newest;
    this.#newest = newest;
    if (newest === undefined) return;
    if (before?.place !== newest.place) return;
    if (Math.abs(newest.at - before.at) > slipMs) this.#updateFarEnd(canceller, until);
    else this.#newest = before;
  }

  #beginClock(capturedAt: number, before?: SmoothedClock): void {
    this.#taken = 0;
    this.#framed = 0;
    this.#gap.reset();
    this.#clock = new SmoothedClock(inputRate, 0, capturedAt, capturedClock, before);
  }

  #cancel(frame: Float32Array): Float32Array {
    const [clock, place] = [this.#clock, this.#framed];
    this.#framed += frame.length;
    let clean = frame;
    this.#guard((canceller) => {
      if (clock === undefined) return;
      this.#deps.farEnd.fill(this.#reference, clock.timeOf(place) + canceller.aheadMs, clock.step);
      cleanSamples(this.#reference);
      this.#correct(canceller, clock.timeOf(place));
      const processed = canceller.process(frame, this.#reference);
      if (processed.length !== frame.length)
        throw new Error(`it returned ${processed.length} samples for ${frame.length}`);
      cleanSamples(processed);
      clean = processed;
    });
    // The result may be the canceller's buffer, which the next frame overwrites.
    return clean === frame ? frame : clean.slice();
  }

  /** Removes a canceller that throws: sound with echo is better than none. */
  #guard(act: (canceller: EchoCanceller) => void): void {
    const canceller = this.#canceller;
    if (canceller === undefined) return;
    try {
      act(canceller);
    } catch (error) {
      this.#canceller = undefined;
      this.#logFailure('failed', error);
    }
  }

  #open(): EchoCanceller | undefined {
    try {
      return this.#deps.open();
    } catch (error) {
      this.#logFailure('cannot be loaded', error);
      return undefined;
    }
  }

  #logFailure(what: string, error: unknown): void {
    const sentence = `The echo canceller ${what} (${describeError(error)}); sound continues without it.`;
    this.#deps.log.write('warn', sentence);
  }
}
