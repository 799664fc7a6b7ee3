interface BegunTurn {
  readonly turn: number;
  /** Where it begins, in samples of the whole answer. */
  readonly from: number;
}

/** A tape needs no more: what was heard between two of them is known from the sound. */
const everyMs = 100;

/** Of the samples that were heard of the whole answer, how many that are of which turn. */
export class HeardTurns {
  readonly #tell: (turn: number, samples: number) => void;
  readonly #turns: BegunTurn[] = [];
  #told: { readonly playhead: number; readonly at: number } = { playhead: 0, at: -Infinity };

  constructor(tell: (turn: number, samples: number) => void) {
    this.#tell = tell;
  }

  /** What comes from now on is of this turn, and is heard after so many samples. */
  begin(turn: number, from: number): void {
    if (this.#turns.at(-1)?.turn !== turn) this.#turns.push({ turn, from });
  }

  /** Told now and then while it sounds, and where it stops. */
  at(playhead: number, now: number, sounding: boolean): void {
    if (playhead === this.#told.playhead) return;
    if (sounding && now - this.#told.at < everyMs) return;
    this.#told = { playhead, at: now };
    const heard = this.#turns.findLast(({ from }) => from < playhead);
    if (heard === undefined) return;
    this.#turns.splice(0, this.#turns.indexOf(heard));
    this.#tell(heard.turn, playhead - heard.from);
  }
}
