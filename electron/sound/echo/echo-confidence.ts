import type { HalfSpectrum } from '../dsp/real-fft.ts';
import { EchoBound } from './echo-bound.ts';
import { EchoTrust } from './echo-trust.ts';
import { ForeignSound } from './foreign-sound.ts';

/** A filter that takes away so much works: 8 dB… */
const works = 6;
const smoothing = 0.9;
/** …where so much of what is captured is echo. */
const echoShare = 0.25;
/** For so many blocks it must have worked before it is believed: one vowel is learned in a tenth of that. */
const proof = 40;
/** Trusted by less than this meanwhile, it has to begin anew. */
const doubtful = 0.3;
const doubtStep = 6;
/** An echo of which so little comes has stopped, because what is played has: it goes on at another time… */
const stopped = 0.05;
/** …if it should be about as loud as it was just before. */
const lately = 0.1;
const fading = 0.9;
const tiny = 1e-9;

/** A block's echo as it is expected, and what is left without it. */
interface TakenOut {
  readonly left: HalfSpectrum;
  readonly expected: HalfSpectrum;
}

/**
 * How sure it is that what a filter leaves is no echo. As long as it is not, or no longer, all that is not clearly louder
 * than an echo can be is taken for one: who speaks then is not heard, which is better than an answer that cuts itself.
 */
export class EchoConfidence {
  readonly #trust = new EchoTrust();
  readonly #bound: EchoBound;
  readonly #foreign = new ForeignSound();
  readonly #captured: Float32Array;
  readonly #share: number;
  #proof = 0;
  #before = 0;
  #after = 0;
  #loudest = 0;

  /** `share` is a block's share of the power in its spectrum. */
  constructor(bins: number, share: number) {
    this.#share = share;
    this.#bound = new EchoBound(bins);
    this.#captured = new Float32Array(bins);
  }

  /** Whether the expected echo is the one that comes, from 0 to 1. */
  get trust(): number {
    return this.#trust.value;
  }

  /** So much of the expected echo's power is left at least. */
  get left(): number {
    return this.#trust.left;
  }

  /** It has worked for long enough that what was learned is worth to be kept. */
  get hasWorked(): boolean {
    return this.#proof === proof;
  }

  /** The power of the loudest echo that there can be in each bin… */
  get loudest(): Float32Array {
    return this.#bound.power;
  }

  /** …and how much of it may be left. */
  get unsure(): number {
    return 1 - (this.#trust.value * this.#proof) / proof;
  }

  /** Before the room is known: what is heard has somebody in it who is not what is played. */
  get hearsSomebody(): boolean {
    return !this.hasWorked && this.#foreign.isThere;
  }

  /** The power of the loudest echo that there can be in a bin beside somebody who is heard before the room is known. */
  mostIn(bin: number): number {
    return this.hearsSomebody ? this.#foreign.mostIn(bin) : Infinity;
  }

  /** What is played began anew: for a while its echo may come at another time than it did. */
  broken(): void {
    this.#foreign.forget();
  }

  /** The echo is expected at another time from now on. */
  moved(): void {
    this.#trust.lose();
  }

  /** It is known from elsewhere that the echo is the expected one. */
  confirmed(): void {
    this.#trust.confirm();
  }

  /** Nothing of the way is known any more. */
  forget(): void {
    this.#proof = 0;
    this.#trust.lose();
    this.#foreign.forget();
  }

  /**
   * What is left of a block, the echo that was taken out of it, what is played, and the room's noise; `proven` is the same by what was learned
   * while that worked, since what is learned of a wrong time soon looks right.
   */
  follow(
    { left, expected }: TakenOut,
    proven: TakenOut,
    played: HalfSpectrum,
    noise: Float32Array,
  ): void {
    let captured = 0;
    let echo = 0;
    let rest = 0;
    for (let bin = 0; bin < this.#captured.length; bin += 1) {
      const re = left.re[bin] ?? 0;
      const im = left.im[bin] ?? 0;
      const echoRe = expected.re[bin] ?? 0;
      const echoIm = expected.im[bin] ?? 0;
      const wholeRe = re + echoRe;
      const wholeIm = im + echoIm;
      const power = wholeRe * wholeRe + wholeIm * wholeIm;
      this.#captured[bin] = power;
      captured += power;
      echo += echoRe * echoRe + echoIm * echoIm;
      rest += re * re + im * im;
    }
    this.#bound.follow(played, this.#share, this.#captured);
    if (!this.hasWorked) this.#foreign.follow(played, this.#share, this.#captured, noise);
    this.#trust.follow(proven.left, proven.expected);
    this.#loudest = Math.max(echo, fading * this.#loudest);
    if (captured < stopped * echo && echo > lately * this.#loudest) this.#trust.lose();
    this.#before = smoothing * this.#before + (1 - smoothing) * captured;
    this.#after = smoothing * this.#after + (1 - smoothing) * rest;
    if (this.hasWorked) return;
    if (this.trust < doubtful) this.#proof = Math.max(0, this.#proof - doubtStep);
    else if (this.#before > works * this.#after + tiny && echo > echoShare * captured)
      this.#proof = Math.min(proof, this.#proof + 1);
  }
}
