import { Framer } from '../../../shared/audio/framer.ts';
import { describeError } from '../../../shared/errors/app-error.ts';
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
import type { FarEndReference, NewestSegment } from './far-end-signal.ts';
import { capturedClock, GapDetector, SmoothedClock } from './smoothed-clock.ts';

const samplesPerMs = inputRate / 1000;
/** If the far end's time shifts by more than this, the learned path cancels practically no echo. */
const maxErrorMs = 0.1;

interface Deps {
  readonly open: OpenEchoCanceller;
  readonly farEnd: FarEndReference;
  readonly log: Log;
  /** Read for every block, because the setting can change during a talk. */
  readonly isEnabled: (devices: EchoDevices) => boolean;
  readonly cache?: CancellerCache | undefined;
}

/**
 * Runs an echo canceller on a microphone's sound: cuts it into frames and looks up the far end of each. If no
 * canceller can be opened, or it fails, the sound passes unchanged.
 */
export class EchoCancellation {
  readonly #deps: Deps;
  readonly #framer = new Framer(echoBlockSamples);
  readonly #gap = new GapDetector();
  readonly #reference = new Float32Array(echoBlockSamples);
  readonly #recentFarEnd = new Float32Array(echoMemorySamples);
  #canceller: EchoCanceller | undefined;
  #clock: SmoothedClock | undefined;
  /** Samples received, and samples cut into frames, since the clock started. */
  #received = 0;
  #framed = 0;
  #newest: NewestSegment | undefined;
  #microphone: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#canceller = this.#open();
  }

  /**
   * `capturedAt` is the time of the block's first sample, on the clock of the far end. The end of the block waits for the
   * next one if it does not fill a frame.
   */
  process(block: Float32Array, capturedAt: number): Float32Array {
    if (this.state === 'off') return this.#bypass(block);
    const parts = [this.#followClock(capturedAt, block.length)];
    this.#received += block.length;
    for (const frame of this.#framer.push(block)) parts.push(this.#cancel(frame));
    // The canceller may just have failed.
    if (!this.#canceller) parts.push(this.#framer.flush());
    return joinSamples(parts);
  }

  /**
   * Prepares for another microphone: stores what the canceller learned with the old devices, and loads what it learned earlier
   * with the new ones.
   */
  begin(microphone: string | undefined): void {
    if (this.#cacheCanceller()) this.#canceller = this.#open();
    this.#microphone = microphone;
    const cached = this.#deps.cache?.take(this.#devices);
    if (cached === undefined) return this.#reset();
    this.#canceller = cached;
    this.#restart();
    this.#guard((canceller) => canceller.resume(this.#recentFarEnd.fill(0)));
  }

  get state(): EchoState {
    const { isEnabled } = this.#deps;
    if (this.#canceller === undefined) return 'off';
    return isEnabled(this.#devices) ? this.#canceller.finding : 'off';
  }

  /** How much later than captured sound the canceller's output is; 0 while it is off. */
  get delayMs(): number {
    return this.state === 'off' ? 0 : (this.#canceller?.delayMs ?? 0);
  }

  /** Probability of near-end speech in the last block; undefined while no echo canceller changes the sound. */
  get nearEndPresence(): number | undefined {
    return this.state === 'off' ? undefined : this.#canceller?.nearEndPresence;
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
    cache.put(this.#devices, canceller);
    return true;
  }

  /** While the canceller is off, returns the samples that waited for a full frame, and the block. */
  #bypass(block: Float32Array): Float32Array {
    if (this.#clock === undefined) return block;
    const waitingSamples = this.#framer.flush();
    this.#reset();
    return waitingSamples.length === 0 ? block : joinSamples([waitingSamples, block]);
  }

  /** Updates the clock. At a gap, starts a new clock and returns the samples that waited for a full frame. */
  #followClock(capturedAt: number, length: number): Float32Array {
    const clock = this.#clock;
    // A block without a time continues the previous one.
    if (!Number.isFinite(capturedAt)) return new Float32Array();
    if (clock === undefined) {
      this.#beginClock(capturedAt);
      return new Float32Array();
    }
    if (clock.fits(this.#received, capturedAt)) {
      this.#gap.reset();
      clock.report(this.#received, capturedAt);
      return new Float32Array();
    }
    const deviation = clock.deviation(this.#received, capturedAt);
    if (!this.#gap.isGap(deviation, (1000 * length) / inputRate)) return new Float32Array();
    const waitingSamples = this.#framer.flush();
    this.#beginClock(capturedAt, clock);
    this.#guard((canceller) => this.#updateFarEnd(canceller, capturedAt));
    return waitingSamples;
  }

  /** Gives the canceller the known far end before the next frame, which begins at `until`. */
  #updateFarEnd(canceller: EchoCanceller, until: number): void {
    const recentFarEnd = this.#recentFarEnd;
    this.#deps.farEnd.fill(
      recentFarEnd,
      until + canceller.leadMs - recentFarEnd.length / samplesPerMs,
    );
    cleanSamples(recentFarEnd);
    canceller.resume(recentFarEnd);
  }

  /**
   * After a break in playback, the time of the new sound is an estimate at first. Once a better one is known, this updates
   * the canceller.
   */
  #correct(canceller: EchoCanceller, until: number): void {
    const { newest } = this.#deps.farEnd;
    const previous = this.#newest;
    this.#newest = newest;
    if (newest === undefined) return;
    if (previous?.position !== newest.position) return;
    if (Math.abs(newest.startsAt - previous.startsAt) > maxErrorMs)
      this.#updateFarEnd(canceller, until);
    else this.#newest = previous;
  }

  #beginClock(capturedAt: number, previous?: SmoothedClock): void {
    this.#received = 0;
    this.#framed = 0;
    this.#gap.reset();
    this.#clock = new SmoothedClock(inputRate, 0, capturedAt, capturedClock, previous);
  }

  #cancel(frame: Float32Array): Float32Array {
    const [clock, position] = [this.#clock, this.#framed];
    this.#framed += frame.length;
    let clean = frame;
    this.#guard((canceller) => {
      if (clock === undefined) return;
      this.#deps.farEnd.fill(
        this.#reference,
        clock.timeOf(position) + canceller.leadMs,
        clock.step,
      );
      cleanSamples(this.#reference);
      this.#correct(canceller, clock.timeOf(position));
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
  #guard(run: (canceller: EchoCanceller) => void): void {
    const canceller = this.#canceller;
    if (canceller === undefined) return;
    try {
      run(canceller);
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
