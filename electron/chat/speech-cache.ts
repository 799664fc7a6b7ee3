/** The speech of answers, kept to be played again as long as there is room for it. */
export class SpeechCache {
  readonly #maxSamples: number;
  readonly #evicted: (turn: string) => void;
  readonly #speeches = new Map<string, { pieces: Float32Array[]; samples: number }>();
  #samples = 0;

  /** `letGo` hears of the oldest speeches, which make room for newer ones. */
  constructor(mostSamples: number, letGo: (turn: string) => void) {
    this.#maxSamples = mostSamples;
    this.#evicted = letGo;
  }

  /** Says how many samples of the turn are kept now. */
  add(turn: string, audio: Float32Array): number {
    const speech = this.#speeches.get(turn) ?? { pieces: [], samples: 0 };
    this.#speeches.set(turn, speech);
    speech.pieces.push(audio);
    speech.samples += audio.length;
    this.#samples += audio.length;
    for (const oldest of this.#speeches.keys()) {
      if (this.#samples <= this.#maxSamples) break;
      // Also the newest, where it alone is too long: half a speech would be worse than none.
      this.drop(oldest);
      this.#evicted(oldest);
    }
    return this.#speeches.get(turn)?.samples ?? 0;
  }

  of(turn: string): readonly Float32Array[] {
    return this.#speeches.get(turn)?.pieces ?? [];
  }

  drop(turn: string): void {
    this.#samples -= this.#speeches.get(turn)?.samples ?? 0;
    this.#speeches.delete(turn);
  }
}
