interface BegunTurn {
  readonly turn: number;
  readonly at: number;
}

/** A phrase is at most so long: what came before that is in the same order for all. */
const maxTurns = 60;

/** When the newest turns of an answer began. */
export class TurnTimes {
  #begun: readonly BegunTurn[] = [];

  /** Something of a turn was told; only the first time counts. */
  heard(turn: number, at: number): void {
    if (this.#begun.some((begun) => begun.turn >= turn)) return;
    this.#begun = [...this.#begun, { turn, at }].slice(-maxTurns);
  }

  /** The newest that had begun by then. */
  before(at: number): number | undefined {
    return this.#begun.findLast((begun) => begun.at <= at)?.turn;
  }
}
