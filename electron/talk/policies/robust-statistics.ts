/** Median of ascending values. Undefined without values. */
export function median(sorted: ArrayLike<number>): number | undefined {
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

/** Nearest-rank quantile of ascending values; a fraction of 0.5 gives about the median. Undefined without values. */
export function quantile(sorted: ArrayLike<number>, fraction: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)];
}

export class RecentValues {
  readonly #ring: Float64Array;
  #count = 0;

  constructor(capacity: number) {
    this.#ring = new Float64Array(capacity);
  }

  add(value: number): void {
    this.#ring[this.#count % this.#ring.length] = value;
    this.#count += 1;
  }

  /** How many values were ever added. */
  get count(): number {
    return this.#count;
  }

  sorted(): Float64Array {
    return this.#ring.subarray(0, Math.min(this.#count, this.#ring.length)).toSorted();
  }
}

interface Point {
  readonly at: number;
  readonly value: number;
}

const maxPoints = 20;
const minPoints = 4;
/** Values closer in time belong to one step of the model and count as one point. */
export const mergeWithinMs = 250;
/** A shorter span gives no reliable rate. */
const minSpanMs = 3_000;

/** Growth rate of a value: the median slope over all pairs of recent points. */
export class RobustSlope {
  #points: readonly Point[] = [];
  /** Cached, because reads are more frequent than points. */
  #perSecond: number | undefined;

  add(at: number, value: number): void {
    const last = this.#points.at(-1);
    const before =
      last !== undefined && at - last.at < mergeWithinMs ? this.#points.slice(0, -1) : this.#points;
    // A merged point keeps its first time; otherwise a steady stream of values would move it forever.
    const moment = before === this.#points || last === undefined ? at : last.at;
    this.#points = [...before, { at: moment, value }].slice(-maxPoints);
    this.#perSecond = medianSlope(this.#points);
  }

  forget(): void {
    this.#points = [];
    this.#perSecond = undefined;
  }

  /** Per second; undefined with too few points. */
  perSecond(): number | undefined {
    return this.#perSecond;
  }
}

function medianSlope(points: readonly Point[]): number | undefined {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (points.length < minPoints || last.at - first.at < minSpanMs) return undefined;
  const slopes: number[] = [];
  for (const [index, later] of points.entries())
    for (const earlier of points.slice(0, index))
      slopes.push(((later.value - earlier.value) / (later.at - earlier.at)) * 1000);
  return median(slopes.toSorted((a, b) => a - b));
}
