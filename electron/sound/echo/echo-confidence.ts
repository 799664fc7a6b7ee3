import type { SplitBlock } from './echo-suppressor.ts';
import { EchoTrust } from './echo-trust.ts';

/** A filter that takes away so much works: 8 dB… */
const works = 6;
const smoothing = 0.9;
/** …where so much of what is captured is echo. */
const echoShare = 0.25;
/** For so many blocks it must have worked before it is believed: one vowel is learned in a tenth of that. */
const proof = 40;
/** Trusted by less than this meanwhile, it has to begin again. */
const doubtful = 0.3;
const doubtStep = 6;
/** An echo of which so little comes has stopped, because what is played has: it goes on at another time… */
const stopped = 0.05;
/** …if it should be about as loud as it was just before. */
const lately = 0.1;
const fading = 0.9;
const tiny = 1e-9;

/** How sure it is that the echo comes as a filter expects it: at the same time, and by the same path. */
export class EchoConfidence {
  readonly #trust = new EchoTrust();
  #proof = 0;
  #before = 0;
  #after = 0;
  #loudest = 0;

  /** Whether the expected echo is the one that comes, from 0 to 1. */
  get trust(): number {
    return this.#trust.value;
  }

  /** The filter has worked for long enough that what it learned is worth keeping. */
  get hasWorked(): boolean {
    return this.#proof === proof;
  }

  /** The echo is expected at another time from now on. */
  moved(): void {
    this.#trust.lose();
  }

  /** It is known from elsewhere that the echo is the expected one. */
  confirmed(): void {
    this.#trust.confirm();
  }

  /** Nothing of the path is known any more. */
  forget(): void {
    this.#proof = 0;
    this.#trust.lose();
  }

  /**
   * A block as the filter splits it, and as it would by what it had learned while it worked well: what is learned of a wrong
   * time soon looks right.
   */
  follow({ left, expected }: SplitBlock, proven: SplitBlock): void {
    let captured = 0;
    let echo = 0;
    let rest = 0;
    for (let bin = 0; bin < left.re.length; bin += 1) {
      const re = left.re[bin] ?? 0;
      const im = left.im[bin] ?? 0;
      const echoRe = expected.re[bin] ?? 0;
      const echoIm = expected.im[bin] ?? 0;
      const wholeRe = re + echoRe;
      const wholeIm = im + echoIm;
      captured += wholeRe * wholeRe + wholeIm * wholeIm;
      echo += echoRe * echoRe + echoIm * echoIm;
      rest += re * re + im * im;
    }
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
