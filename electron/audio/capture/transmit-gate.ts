import { emitSilence, fadeCurve, fadeLength, writeRing } from '../dsp/samples.ts';

/** `open` passes everything, `hold` passes while the user holds the key, `closed` passes silence. */
export type TransmitMode = 'open' | 'hold' | 'closed';

export interface TransmitGateOptions {
  readonly rate: number;
  readonly mode: TransmitMode;
}

/** People begin to speak just before the key is down, so the first syllable precedes the press. */
const preRollMs = 500;
/** Default delay between the microphone and this gate, for devices that do not report theirs. */
const defaultTailMs = 45;
/** Upper limit for a reported delay, so that speech after the release is not sent. */
const maxTailMs = 300;
/**
 * Limit on how far the sent sound may be ahead of real time. Skipping silence reduces the lead; above this limit,
 * silence is skipped even during an answer.
 */
const maxAheadMs = 3000;

/**
 * Gates the sound to the uplink. Blocked sound becomes silence of the same length, because the server counts
 * time in samples (docs/decisions/0012-jitter-buffer.md).
 */
export class TransmitGate {
  readonly #preRoll: PreRoll;
  readonly #budget: SilenceBudget;
  /** Fade curve. `#openness` is the position in it: 0 is closed, the length of the curve is fully open. */
  readonly #curve: Float32Array;
  readonly #rate: number;
  #openness = 0;
  #tailSamples = 0;
  #hasSpeechEnded = false;
  #mode: TransmitMode;
  #pressed = false;
  #muted = false;

  constructor({ rate, mode }: TransmitGateOptions) {
    const preRoll = Math.round((preRollMs * rate) / 1000);
    this.#preRoll = new PreRoll(preRoll);
    this.#budget = new SilenceBudget(rate, Math.round((maxAheadMs * rate) / 1000));
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
    this.#dropPending();
  }

  /** A press sends the pre-roll. After a release, speech that has yet to arrive still passes, for `tailMs`. */
  setPressed(pressed: boolean, tailMs = defaultTailMs): void {
    if (pressed === this.#pressed) return;
    const wasOpen = this.transmitting;
    this.#pressed = pressed;
    if (wasOpen && !this.transmitting)
      this.#tailSamples = Math.round((Math.min(tailMs, maxTailMs) * this.#rate) / 1000);
    if (this.transmitting) this.#tailSamples = 0;
  }

  /** Overrides mode and key. Speech during a mute is discarded. */
  setMuted(muted: boolean): void {
    if (muted === this.#muted) return;
    this.#muted = muted;
    this.#dropPending();
  }

  /**
   * While an answer plays, silence is skipped only above `maxAheadMs`. The model's next step waits for a full chunk, so
   * skipped silence would delay it.
   */
  setAnswering(answering: boolean): void {
    this.#budget.setAnswering(answering);
  }

  /** Returns true exactly once, after the last speech of a key press has passed. Silence follows that speech. */
  takeSpeechEnd(): boolean {
    const hasEnded = this.#hasSpeechEnded;
    this.#hasSpeechEnded = false;
    return hasEnded;
  }

  /** Counts silence that the caller sent ahead of time. */
  countSentAhead(samples: number): void {
    this.#budget.addAhead(samples);
  }

  /** Returns the parts to send for this block, in order. They are read-only and valid until the next push. */
  push(block: Float32Array): readonly Float32Array[] {
    const parts: Float32Array[] = [];
    let from = 0;
    while (from < block.length) {
      const remaining = from === 0 ? block : block.subarray(from);
      from += this.transmitting
        ? this.#passOpen(remaining, parts)
        : this.#passClosed(remaining, parts);
    }
    return parts;
  }

  #dropPending(): void {
    this.#preRoll.clear();
    this.#tailSamples = 0;
  }

  #passOpen(block: Float32Array, parts: Float32Array[]): number {
    this.#hasSpeechEnded = false;
    this.#budget.restartSettling();
    if (this.#preRoll.length > 0) {
      this.#budget.addAhead(this.#preRoll.length);
      for (const part of this.#preRoll.take()) this.#fadeIn(part, parts);
    }
    this.#fadeIn(block, parts);
    return block.length;
  }

  #fadeIn(block: Float32Array, parts: Float32Array[]): void {
    const fadingCount = Math.min(block.length, this.#curve.length - this.#openness);
    if (fadingCount > 0) {
      const fading = new Float32Array(fadingCount);
      for (let n = 0; n < fadingCount; n += 1, this.#openness += 1) {
        fading[n] = (block[n] ?? 0) * (this.#curve[this.#openness] ?? 1);
      }
      parts.push(fading);
    }
    if (fadingCount < block.length)
      parts.push(fadingCount === 0 ? block : block.subarray(fadingCount));
  }

  #passClosed(block: Float32Array, parts: Float32Array[]): number {
    if (this.#tailSamples > 0 && this.#openness > 0) {
      const count = Math.min(block.length, this.#tailSamples);
      this.#tailSamples -= count;
      this.#fadeIn(block.subarray(0, count), parts);
      return count;
    }
    if (this.#openness > 0) {
      const fadingCount = Math.min(block.length, this.#openness);
      const fading = new Float32Array(fadingCount);
      for (let n = 0; n < fadingCount; n += 1) {
        this.#openness -= 1;
        fading[n] = (block[n] ?? 0) * (this.#curve[this.#openness] ?? 0);
      }
      parts.push(fading);
      this.#hasSpeechEnded = this.#openness === 0 && this.#mode === 'hold' && !this.#muted;
      return fadingCount;
    }
    if (this.#mode === 'hold' && !this.#muted) this.#preRoll.push(block);
    emitSilence(this.#budget.silenceFor(block.length), (part) => parts.push(part));
    return block.length;
  }
}

/** A ring buffer of the newest samples from before the key press. */
export class PreRoll {
  readonly #ring: Float32Array;
  #next = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#ring = new Float32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  push(block: Float32Array): void {
    this.#next = writeRing(this.#ring, this.#next, block);
    this.#length = Math.min(this.#ring.length, this.#length + block.length);
  }

  /** Removes and returns the buffered samples, oldest first; valid until the next push. */
  take(): readonly Float32Array[] {
    const from = this.#next - this.#length;
    const length = this.#length;
    this.#length = 0;
    const parts: Float32Array[] = [];
    if (from < 0) parts.push(this.#ring.subarray(from + this.#ring.length));
    if (length > 0 && this.#next > 0)
      parts.push(this.#ring.subarray(Math.max(0, from), this.#next));
    return parts;
  }

  /** Also overwrites the samples in memory. */
  clear(): void {
    this.#ring.fill(0);
    this.#length = 0;
  }
}

/**
 * Silence within this time after speech is skipped only above `maxAheadMs`. It completes the chunk that holds the last word,
 * so that the model gets the word and can answer.
 */
const settleMs = 2000;

/** Skips silence to balance samples that were inserted earlier (docs/decisions/0012-jitter-buffer.md). */
class SilenceBudget {
  readonly #settleSamples: number;
  readonly #maxAhead: number;
  #aheadSamples = 0;
  #unsettledSamples = 0;
  #answering = false;

  constructor(rate: number, maxAhead: number) {
    this.#settleSamples = Math.round((settleMs * rate) / 1000);
    this.#maxAhead = maxAhead;
  }

  setAnswering(answering: boolean): void {
    this.#answering = answering;
  }

  addAhead(samples: number): void {
    this.#aheadSamples += samples;
  }

  restartSettling(): void {
    this.#unsettledSamples = this.#settleSamples;
  }

  silenceFor(samples: number): number {
    const reserved = Math.min(samples, this.#answering ? samples : this.#unsettledSamples);
    this.#unsettledSamples -= Math.min(samples, this.#unsettledSamples);
    const skipped =
      this.#skip(reserved, this.#aheadSamples - this.#maxAhead) +
      this.#skip(samples - reserved, this.#aheadSamples);
    return samples - skipped;
  }

  #skip(samples: number, excess: number): number {
    const count = Math.min(samples, Math.max(0, excess));
    this.#aheadSamples -= count;
    return count;
  }
}
