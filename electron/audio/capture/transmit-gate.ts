import { emitSilence, fadeCurve, fadeLength, writeRing } from '../dsp/samples.ts';

/** Open: everything goes on. Hold: while the person presses. Closed: nothing. */
export type TransmitMode = 'open' | 'hold' | 'closed';

export interface TransmitGateOptions {
  readonly rate: number;
  readonly mode: TransmitMode;
}

/** The first syllable comes before the finger: people begin to speak while they press. */
const preRollMs = 500;
/** How long speech before the release takes from the microphone to here, where the device does not say. */
const usualTailMs = 45;
/** A microphone that says it is later than this is not believed: what is said after the release is not meant. */
const maxTailMs = 300;
/** Surplus samples are made up for in silences; only beyond this at once, which may cut into an answer. */
const maxAheadMs = 3000;

/**
 * Stands between microphone and uplink. What it does not let through it replaces by silence of the
 * same length, since the server's time is counted in samples. How the pre-roll gets its place in
 * that time: docs/decisions/0012-jitter-buffer.md.
 */
export class TransmitGate {
  readonly #preRoll: PreRoll;
  readonly #pace: SilenceBudget;
  /** How open it is: the curve's value at this index; at its end everything passes unchanged. */
  readonly #curve: Float32Array;
  readonly #rate: number;
  #openness = 0;
  #tail = 0;
  #ended = false;
  #mode: TransmitMode;
  #pressed = false;
  #muted = false;

  constructor({ rate, mode }: TransmitGateOptions) {
    const preRoll = Math.round((preRollMs * rate) / 1000);
    this.#preRoll = new PreRoll(preRoll);
    this.#pace = new SilenceBudget(rate, Math.round((maxAheadMs * rate) / 1000));
    this.#curve = fadeCurve(fadeLength(rate));
    this.#rate = rate;
    this.#mode = mode;
  }

  get transmitting(): boolean {
    return !this.#muted && (this.#mode === 'open' || (this.#mode === 'hold' && this.#pressed));
  }

  setMode(mode: TransmitMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#cut();
  }

  /**
   * Only a press lets out what was heard before it, and only a release leaves a tail: as much as was captured before it
   * and is still to come.
   */
  setPressed(pressed: boolean, tailMs = usualTailMs): void {
    if (pressed === this.#pressed) return;
    const wasOpen = this.transmitting;
    this.#pressed = pressed;
    if (wasOpen && !this.transmitting)
      this.#tail = Math.round((Math.min(tailMs, maxTailMs) * this.#rate) / 1000);
    if (this.transmitting) this.#tail = 0;
  }

  /** Overrides everything. What is said meanwhile is kept nowhere. */
  setMuted(muted: boolean): void {
    if (muted === this.#muted) return;
    this.#muted = muted;
    this.#cut();
  }

  /** While the answer is heard no silence is left out: the model's next second would come late. */
  setAnswering(answering: boolean): void {
    this.#pace.setAnswering(answering);
  }

  /** The last of what was said with the key has gone through since this was asked before; silence follows it. */
  takeEnd(): boolean {
    const ended = this.#ended;
    this.#ended = false;
    return ended;
  }

  /** Counts silence that has gone to the server ahead of its time. */
  filled(samples: number): void {
    this.#pace.inserted(samples);
  }

  /**
   * The parts that go to the server for this block, in order: they are good until the next push, and
   * must not be written to.
   */
  push(block: Float32Array): readonly Float32Array[] {
    const parts: Float32Array[] = [];
    let from = 0;
    while (from < block.length) {
      const rest = from === 0 ? block : block.subarray(from);
      from += this.transmitting ? this.#pass(rest, parts) : this.#hold(rest, parts);
    }
    return parts;
  }

  #cut(): void {
    this.#preRoll.forget();
    this.#tail = 0;
  }

  #pass(block: Float32Array, parts: Float32Array[]): number {
    this.#ended = false;
    this.#pace.sounded();
    if (this.#preRoll.held > 0) {
      this.#pace.inserted(this.#preRoll.held);
      for (const part of this.#preRoll.take()) this.#open(part, parts);
    }
    this.#open(block, parts);
    return block.length;
  }

  #open(block: Float32Array, parts: Float32Array[]): void {
    const rising = Math.min(block.length, this.#curve.length - this.#openness);
    if (rising > 0) {
      const fading = new Float32Array(rising);
      for (let n = 0; n < rising; n += 1, this.#openness += 1) {
        fading[n] = (block[n] ?? 0) * (this.#curve[this.#openness] ?? 1);
      }
      parts.push(fading);
    }
    if (rising < block.length) parts.push(rising === 0 ? block : block.subarray(rising));
  }

  /** The tail, the fade, and then silence: each call does one of them. */
  #hold(block: Float32Array, parts: Float32Array[]): number {
    if (this.#tail > 0 && this.#openness > 0) {
      const count = Math.min(block.length, this.#tail);
      this.#tail -= count;
      this.#open(block.subarray(0, count), parts);
      return count;
    }
    if (this.#openness > 0) {
      const falling = Math.min(block.length, this.#openness);
      const fading = new Float32Array(falling);
      for (let n = 0; n < falling; n += 1) {
        this.#openness -= 1;
        fading[n] = (block[n] ?? 0) * (this.#curve[this.#openness] ?? 0);
      }
      parts.push(fading);
      this.#ended = this.#openness === 0 && this.#mode === 'hold' && !this.#muted;
      return falling;
    }
    if (this.#mode === 'hold' && !this.#muted) this.#preRoll.push(block);
    emitSilence(this.#pace.silenceFor(block.length), (part) => parts.push(part));
    return block.length;
  }
}

/** Pre-roll: the newest samples from before the key, up to a number of them, in memory taken once. */
export class PreRoll {
  readonly #ring: Float32Array;
  #next = 0;
  #held = 0;

  constructor(capacity: number) {
    this.#ring = new Float32Array(capacity);
  }

  get held(): number {
    return this.#held;
  }

  push(block: Float32Array): void {
    this.#next = writeRing(this.#ring, this.#next, block);
    this.#held = Math.min(this.#ring.length, this.#held + block.length);
  }

  /** The held samples, the oldest first, good until the next push; holds nothing afterwards. */
  take(): readonly Float32Array[] {
    const from = this.#next - this.#held;
    const held = this.#held;
    this.#held = 0;
    const parts: Float32Array[] = [];
    if (from < 0) parts.push(this.#ring.subarray(from + this.#ring.length));
    if (held > 0 && this.#next > 0) parts.push(this.#ring.subarray(Math.max(0, from), this.#next));
    return parts;
  }

  /** Erases the held samples from memory too. */
  forget(): void {
    this.#ring.fill(0);
    this.#held = 0;
  }
}

/**
 * From the end of speech, silence goes on so long without a gap: the chunk with the last word is
 * filled at once, and the model can begin its answer.
 */
const settleMs = 2000;

/**
 * Says how much silence stands for a stretch of input, so that samples that were inserted before
 * are made up for by silence that is left out (docs/decisions/0012-jitter-buffer.md).
 */
class SilenceBudget {
  readonly #settle: number;
  readonly #maxAhead: number;
  #ahead = 0;
  #untilSettled = 0;
  #answering = false;

  /** Samples that are ahead by more than `maxAhead` are made up for at once, whatever goes on. */
  constructor(rate: number, maxAhead: number) {
    this.#settle = Math.round((settleMs * rate) / 1000);
    this.#maxAhead = maxAhead;
  }

  setAnswering(answering: boolean): void {
    this.#answering = answering;
  }

  inserted(samples: number): void {
    this.#ahead += samples;
  }

  /** Something was let through: the wait begins with the silence after it. */
  sounded(): void {
    this.#untilSettled = this.#settle;
  }

  silenceFor(samples: number): number {
    const early = Math.min(samples, this.#answering ? samples : this.#untilSettled);
    this.#untilSettled -= Math.min(samples, this.#untilSettled);
    const leftOut =
      this.#leaveOut(early, this.#ahead - this.#maxAhead) +
      this.#leaveOut(samples - early, this.#ahead);
    return samples - leftOut;
  }

  #leaveOut(samples: number, tooMany: number): number {
    const count = Math.min(samples, Math.max(0, tooMany));
    this.#ahead -= count;
    return count;
  }
}
