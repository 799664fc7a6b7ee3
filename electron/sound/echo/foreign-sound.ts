import type { HalfSpectrum } from '../dsp/real-fft.ts';
import { EchoAtDelay } from './echo-at-delay.ts';

/** Bins that are judged together: 250 Hz. */
const bandBins = 8;
const bands = 30;
/** From the loudspeaker to the microphone it takes less than so many blocks: as much as a filter can model. */
const delays = 26;
/** A room rings on by so much of a block's power in the next one: 60 dB in 0.6 s. */
const ringing = 0.8;
/** One block teaches no more than this of what is expected, since it may be somebody's… */
const believed = 3;
/** …and nothing new where it seems to be. */
const doubted = 1;
/** A band tells something where it stands so far above the room's noise: 9 dB… */
const aboveNoise = 8;
/** …and above -75 dBFS… */
const audible = 5e-6;
/** …and so many must. */
const fewest = 3;
/** It is somebody where so much cannot be an echo, whatever its delay… */
const foreign = 0.5;
/** …for so many blocks: the edges of a word are off by one or two… */
const lasting = 5;
/** …and is so until so many blocks after the last of them: the ends of words are soft. */
const held = 30;

/**
 * Tells somebody from an echo before a canceller knows the room, by levels alone. For each delay that an echo can have, the
 * answer's first quarter of a second has shown band by band how loud it is at most: with headphones no louder than the room's
 * noise. What is louder than the echo of every delay was not played. A person who speaks from the answer's beginning on is taken for
 * its echo, as before.
 */
export class ForeignSound {
  readonly #noise = new Float32Array(bands);
  readonly #heard = new Float32Array(bands);
  readonly #weights = new Float32Array(bands);
  /** What was played lately, the newest at `#newest`; and with what rings on of it. */
  readonly #played = Array.from({ length: delays }, () => new Float32Array(bands));
  readonly #rings = Array.from({ length: delays }, () => new Float32Array(bands));
  readonly #echoes = Array.from({ length: delays }, () => new EchoAtDelay(bands));
  readonly #most = new Float32Array(bands);
  #newest = 0;
  #lasts = 0;
  #left = 0;

  /** Somebody is heard who is not what is played. */
  get isThere(): boolean {
    return this.#left > 0;
  }

  /** The power of the loudest echo that there can be in a bin. */
  mostIn(bin: number): number {
    const band = Math.min(bands - 1, Math.max(0, Math.floor((bin - 1) / bandBins)));
    return (this.#most[band] ?? 0) / bandBins;
  }

  /** Nothing of the way is known any more. */
  forget(): void {
    for (const echo of this.#echoes) echo.forget();
    this.#lasts = 0;
    this.#left = 0;
  }

  /** What is played now, the share of a block in its spectrum, and the power of what is captured and of the room's noise. */
  follow(played: HalfSpectrum, share: number, captured: Float32Array, noise: Float32Array): void {
    this.#push(played, share);
    addUp(captured, this.#heard);
    addUp(noise, this.#noise);
    const isTold = this.#weigh() >= fewest;
    const isDoubted = this.isThere || this.#lasts > 0;
    this.#most.fill(0);
    let least = 1;
    for (let delay = 0; delay < delays; delay += 1) {
      const at = (this.#newest + delay) % delays;
      const [before, rings] = [this.#played[at], this.#rings[at]];
      const echo = this.#echoes[delay];
      if (before === undefined || rings === undefined || echo === undefined) continue;
      const block = { heard: this.#heard, weights: this.#weights, played: before, rings };
      echo.follow(block, isDoubted ? doubted : believed, this.#most);
      least = Math.min(least, echo.unexplained);
    }
    this.#lasts = isTold && least > foreign ? this.#lasts + 1 : 0;
    this.#left = this.#lasts >= lasting ? held : Math.max(0, this.#left - 1);
  }

  /** How much each band tells; returns how many do. */
  #weigh(): number {
    let told = 0;
    for (let band = 0; band < bands; band += 1) {
      const heard = this.#heard[band] ?? 0;
      const tells = heard > Math.max(audible, aboveNoise * (this.#noise[band] ?? 0));
      this.#weights[band] = tells ? Math.sqrt(heard) : 0;
      if (tells) told += 1;
    }
    if (told < fewest) this.#weights.fill(0);
    return told;
  }

  #push({ re, im }: HalfSpectrum, share: number): void {
    const before = this.#rings[this.#newest];
    this.#newest = (this.#newest + delays - 1) % delays;
    const now = this.#played[this.#newest];
    const rings = this.#rings[this.#newest];
    if (before === undefined || now === undefined || rings === undefined) return;
    for (let band = 0; band < bands; band += 1) {
      let power = 0;
      const end = (band + 1) * bandBins;
      for (let bin = end - bandBins + 1; bin <= end; bin += 1)
        power += (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
      now[band] = share * power;
      rings[band] = Math.max(share * power, ringing * (before[band] ?? 0));
    }
  }
}

function addUp(power: Float32Array, into: Float32Array): void {
  for (let band = 0; band < bands; band += 1) {
    let sum = 0;
    const end = (band + 1) * bandBins;
    for (let bin = end - bandBins + 1; bin <= end; bin += 1) sum += power[bin] ?? 0;
    into[band] = sum;
  }
}
