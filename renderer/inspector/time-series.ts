/** One value as it was over the last while; old ones are let go. */
export class TimeSeries {
  readonly #points: { readonly at: number; readonly value: number }[] = [];
  readonly #windowMs: number;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  push(at: number, value: number): void {
    this.#points.push({ at, value });
    const oldest = at - this.#windowMs;
    const gone = this.#points.findIndex((point) => point.at >= oldest);
    if (gone > 64) this.#points.splice(0, gone);
  }

  get last(): number | undefined {
    return this.#points.at(-1)?.value;
  }

  /** Oldest first, from one before the window on, so that a line comes in from its edge. */
  since(from: number): readonly { readonly at: number; readonly value: number }[] {
    const first = this.#points.findIndex((point) => point.at >= from);
    return first === -1 ? this.#points.slice(-1) : this.#points.slice(Math.max(0, first - 1));
  }
}
