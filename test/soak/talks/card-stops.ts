/** A card delivers sound every 10 ms; shorter stops do no harm. */
const minStopMs = 50;

/** Finds the times at which the card delivered nothing to a continuous recorder. */
export class CardStops {
  readonly #stops: { readonly from: number; readonly until: number }[] = [];
  #last: number | undefined;

  blockArrived(at: number): void {
    const before = this.#last ?? at;
    this.#last = at;
    if (at - before > minStopMs) this.#stops.push({ from: before, until: at });
  }

  /** The longest stop within a period. */
  longestMs(from: number, until: number): number {
    const durations = this.#stops.map(
      (stop) => Math.min(stop.until, until) - Math.max(stop.from, from),
    );
    return Math.max(0, ...durations);
  }
}
