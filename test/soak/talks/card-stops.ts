/** A card gives sound every 10 ms; shorter ones keep nobody from anything. */
const leastMs = 50;

/** When a card stood still, by a recorder that hears it all the time. */
export class CardStops {
  readonly #stops: { readonly from: number; readonly until: number }[] = [];
  #last: number | undefined;

  came(at: number): void {
    const before = this.#last ?? at;
    this.#last = at;
    if (at - before > leastMs) this.#stops.push({ from: before, until: at });
  }

  /** The longest that reaches into a stretch of time, as far as it does. */
  longestMs(from: number, until: number): number {
    const within = this.#stops.map(
      (stop) => Math.min(stop.until, until) - Math.max(stop.from, from),
    );
    return Math.max(0, ...within);
  }
}
