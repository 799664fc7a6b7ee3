/** How much louder than on the average an echo may be in a band: 6 dB… */
const aboveMean = 4;
/** …and than in the 50 ms in which least came back of what was loud: 12 dB. */
const aboveLeast = 16;
/** Before either is known: an echo louder than what is played. */
const anything = 4;
/** The average is known from so many blocks on, if they were as loud as what is played now. */
const enough = 4;
/** 50 ms tell what may come back of all that is not louder than by this. */
const tried = 0.3;
/** What is so much softer than the loudest 50 ms tells nothing; so much louder, and they are forgotten. */
const contrast = 4;
/** A loudspeaker that is driven hard sounds in bands in which nothing is played: so much of all that comes back. */
const distortion = 0.01;
/** Some 50 ms. */
const fading = 0.8;
const tiny = 1e-12;

/** A block in bands: what is heard and how much each band tells, what was played a delay ago, and the same with what rings on. */
export interface DelayedBlock {
  readonly heard: Float32Array;
  readonly weights: Float32Array;
  readonly played: Float32Array;
  readonly rings: Float32Array;
}

/**
 * The loudest echo that there can be if it comes with one certain delay, band by band: nothing that was played a delay ago can
 * have come back louder than all that was heard then.
 */
export class EchoAtDelay {
  readonly #heard: Float32Array;
  readonly #played: Float32Array;
  readonly #heardNow: Float32Array;
  readonly #playedNow: Float32Array;
  /** The loudest 50 ms of what was played, and the least share that came back of any that were about as loud. */
  readonly #loudest: Float32Array;
  readonly #least: Float32Array;
  #unexplained = 0;

  constructor(bands: number) {
    this.#heard = new Float32Array(bands);
    this.#played = new Float32Array(bands);
    this.#heardNow = new Float32Array(bands);
    this.#playedNow = new Float32Array(bands);
    this.#loudest = new Float32Array(bands);
    this.#least = new Float32Array(bands);
  }

  /** The share of the last 50 ms that is no echo of this delay. */
  get unexplained(): number {
    return this.#unexplained;
  }

  forget(): void {
    for (const memory of [this.#heard, this.#played, this.#heardNow, this.#playedNow])
      memory.fill(0);
    this.#loudest.fill(0);
    this.#unexplained = 0;
  }

  /** Judges a block, raises `most` to the loudest echo where that is known, and learns at most `believed` times what it knew. */
  follow(block: DelayedBlock, believed: number, most: Float32Array): void {
    const { heard, weights, rings } = block;
    let comes = 0;
    for (let band = 0; band < rings.length; band += 1)
      comes += this.#meanShare(band) * (rings[band] ?? 0);
    let whole = tiny;
    let unexplained = 0;
    for (let band = 0; band < rings.length; band += 1) {
      const rung = rings[band] ?? 0;
      const mean = this.#meanShare(band) * rung;
      const isKnown = (this.#played[band] ?? 0) >= enough * rung;
      const least = this.#followLeast(band, block);
      const isTried = (this.#loudest[band] ?? 0) > tried * rung;
      let can = isKnown ? aboveMean * mean : anything * rung;
      if (isTried) can = Math.min(can, aboveLeast * least * rung);
      can += distortion * comes;
      if (isKnown || isTried) most[band] = Math.max(most[band] ?? 0, can);
      const now = heard[band] ?? 0;
      whole += weights[band] ?? 0;
      if (now > can) unexplained += weights[band] ?? 0;
      if (rung > 0) this.#learn(band, isKnown ? Math.min(now, believed * mean) : now, block.played);
    }
    this.#unexplained = fading * this.#unexplained + ((1 - fading) * unexplained) / whole;
  }

  #learn(band: number, heard: number, played: Float32Array): void {
    this.#heard[band] = (this.#heard[band] ?? 0) + heard;
    this.#played[band] = (this.#played[band] ?? 0) + (played[band] ?? 0);
  }

  #meanShare(band: number): number {
    return (this.#heard[band] ?? 0) / ((this.#played[band] ?? 0) + tiny);
  }

  #followLeast(band: number, { heard, played }: DelayedBlock): number {
    const heardNow = smooth(this.#heardNow, band, heard[band] ?? 0);
    const playedNow = smooth(this.#playedNow, band, played[band] ?? 0);
    const loudest = this.#loudest[band] ?? 0;
    const share = heardNow / (playedNow + tiny);
    if (playedNow > contrast * loudest) this.#least[band] = share;
    else if (playedNow > loudest / contrast)
      this.#least[band] = Math.min(this.#least[band] ?? 0, share);
    this.#loudest[band] = Math.max(loudest, playedNow);
    return this.#least[band] ?? 0;
  }
}

function smooth(memory: Float32Array, band: number, now: number): number {
  return (memory[band] = fading * (memory[band] ?? 0) + (1 - fading) * now);
}
