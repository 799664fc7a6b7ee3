import { Framer } from '../../../shared/audio/framer.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import type { Log } from '../../../shared/ports/log.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { EchoState } from '../../../shared/talk/talk-stats.ts';
import { cleanSamples, joinSamples } from '../dsp/samples.ts';
import {
  echoBlockSamples,
  type EchoCanceller,
  type EchoDevices,
  echoMemorySamples,
  type KnownRoom,
  type OpenEchoCanceller,
} from './echo-canceller.ts';
import type { FarEndReference, NewestStretch } from './far-end-signal.ts';
import { capturedClock, GapWatch, SmoothedClock } from './smoothed-clock.ts';

const samplesPerMs = inputRate / 1000;
/** Off by so much an echo is as good as lost. */
const slipMs = 0.1;

interface Deps {
  readonly open: OpenEchoCanceller;
  readonly farEnd: FarEndReference;
  readonly log: Log;
  /** Asked with every block: what is set changes while one talks. */
  readonly wanted: (devices: EchoDevices) => boolean;
  readonly known?: KnownRoom | undefined;
}

/**
 * The echo canceller's place in a microphone's sound: it cuts frames, finds out what was played in each,
 * and sees to it that no canceller, broken or missing, keeps the sound from going on.
 */
export class EchoCancellation {
  readonly #deps: Deps;
  readonly #framer = new Framer(echoBlockSamples);
  readonly #gap = new GapWatch();
  readonly #reference = new Float32Array(echoBlockSamples);
  readonly #past = new Float32Array(echoMemorySamples);
  #canceller: EchoCanceller | undefined;
  #clock: SmoothedClock | undefined;
  /** Samples since the clock began: those that came, and those that were framed. */
  #taken = 0;
  #framed = 0;
  #newest: NewestStretch | undefined;
  #microphone: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#canceller = this.#open();
  }

  /**
   * `capturedAt` is when the block's first sample came in, by the clock that the reference goes by. What
   * does not fill a frame waits for the next block.
   */
  process(block: Float32Array, capturedAt: number): Float32Array {
    if (this.state === 'off') return this.#leave(block);
    const parts = [this.#follow(capturedAt, block.length)];
    this.#taken += block.length;
    for (const frame of this.#framer.push(block)) parts.push(this.#cancel(frame));
    // It may have broken just now.
    if (!this.#canceller) parts.push(this.#framer.flush());
    return joinSamples(parts);
  }

  /** The microphone is this one now. */
  begin(microphone: string | undefined): void {
    if (this.#leaveRoom()) this.#canceller = this.#open();
    this.#microphone = microphone;
    const known = this.#deps.known?.take(this.#devices);
    if (known === undefined) return this.#reset();
    this.#canceller = known;
    this.#restart();
    this.#guard((canceller) => canceller.rejoin(this.#past.fill(0)));
  }

  get state(): EchoState {
    const { wanted } = this.#deps;
    if (this.#canceller === undefined) return 'off';
    return wanted(this.#devices) ? this.#canceller.finding : 'off';
  }

  /** Somebody speaks over what is played, in a room that is not known yet. */
  get hearsSomebody(): boolean {
    return this.state !== 'off' && this.#canceller?.hearsSomebody === true;
  }

  close(): void {
    this.#leaveRoom();
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

  /** Keeps what was learned of a room for whoever comes back to it; says whether there was anything to keep. */
  #leaveRoom(): boolean {
    const { known } = this.#deps;
    const canceller = this.#canceller;
    if (known === undefined || canceller?.finding !== 'heard') return false;
    known.keep(this.#devices, canceller);
    return true;
  }

  /** It has just been switched off, or there is none: what waited goes first. */
  #leave(block: Float32Array): Float32Array {
    if (this.#clock === undefined) return block;
    const waited = this.#framer.flush();
    this.#reset();
    return waited.length === 0 ? block : joinSamples([waited, block]);
  }

  /** Goes on with the clock; where there is a gap, begins a new one and returns what waited from before. */
  #follow(capturedAt: number, length: number): Float32Array {
    const clock = this.#clock;
    // A block without a time goes on from the one before.
    if (!Number.isFinite(capturedAt)) return new Float32Array();
    if (clock === undefined) {
      this.#beginClock(capturedAt);
      return new Float32Array();
    }
    if (clock.fits(this.#taken, capturedAt)) {
      this.#gap.fits();
      clock.report(this.#taken, capturedAt);
      return new Float32Array();
    }
    const off = clock.off(this.#taken, capturedAt);
    if (!this.#gap.isGap(off, (1000 * length) / inputRate)) return new Float32Array();
    const before = this.#framer.flush();
    this.#beginClock(capturedAt, clock);
    this.#guard((canceller) => this.#tellPast(canceller, capturedAt));
    return before;
  }

  /** Tells the canceller what was played until the next frame, as far as it is known by now. */
  #tellPast(canceller: EchoCanceller, until: number): void {
    const past = this.#past;
    this.#deps.farEnd.fill(past, until + canceller.aheadMs - past.length / samplesPerMs);
    cleanSamples(past);
    canceller.rejoin(past);
  }

  /** After a break it is told at first when the sound is thought to go on, and again once that is known. */
  #correct(canceller: EchoCanceller, until: number): void {
    const { newest } = this.#deps.farEnd;
    const before = this.#newest;
    this.#newest = newest;
    if (newest === undefined) return;
    if (before?.place !== newest.place) return;
    if (Math.abs(newest.at - before.at) > slipMs) this.#tellPast(canceller, until);
    else this.#newest = before;
  }

  #beginClock(capturedAt: number, before?: SmoothedClock): void {
    this.#taken = 0;
    this.#framed = 0;
    this.#gap.fits();
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
        throw new Error(`it made ${processed.length} samples of ${frame.length}`);
      cleanSamples(processed);
      clean = processed;
    });
    // The result may be the canceller's own memory, of which the next frame is made.
    return clean === frame ? frame : clean.slice();
  }

  /** A canceller that throws is taken out: who talks is heard with an echo, and not cut off. */
  #guard(act: (canceller: EchoCanceller) => void): void {
    const canceller = this.#canceller;
    if (canceller === undefined) return;
    try {
      act(canceller);
    } catch (error) {
      this.#canceller = undefined;
      this.#say('broke', error);
    }
  }

  #open(): EchoCanceller | undefined {
    try {
      return this.#deps.open();
    } catch (error) {
      this.#say('cannot be loaded', error);
      return undefined;
    }
  }

  #say(what: string, error: unknown): void {
    const sentence = `The echo canceller ${what} (${describeError(error)}); sound goes on without it.`;
    this.#deps.log.write('warn', sentence);
  }
}
