/** The middle of ascending values, or between the two in the middle; nothing of none. */
export function median(sorted: ArrayLike<number>): number | undefined {
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

/** Of ascending values the smallest that at least this share does not exceed; nothing of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** The last few hundred values of a kind, in one piece of memory. */
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

  /** All that there ever were. */
  get count(): number {
    return this.#count;
  }

  /** Those that are kept, ascending; a copy. */
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
/** Several events of one step carry the same value; they are one point. */
export const sameSampleMs = 250;
/** A shorter stretch says nothing about the rate. */
const minSpanMs = 3_000;

/** How fast a value grows: the median over all pairs of the last points, which one odd point cannot turn. */
export class RobustSlope {
  #points: readonly Point[] = [];
  /** Worked out when a point comes, because it is asked for more often. */
  #perSecond: number | undefined;

  add(at: number, value: number): void {
    const last = this.#points.at(-1);
    const before =
      last !== undefined && at - last.at < sameSampleMs ? this.#points.slice(0, -1) : this.#points;
    // The point keeps its first moment, so that a stream of events does not push it along for ever.
    const moment = before === this.#points || last === undefined ? at : last.at;
    this.#points = [...before, { at: moment, value }].slice(-maxPoints);
    this.#perSecond = slopeOf(this.#points);
  }

  forget(): void {
    this.#points = [];
    this.#perSecond = undefined;
  }

  /** By the second; nothing while too little is known. */
  perSecond(): number | undefined {
    return this.#perSecond;
  }
}

function slopeOf(points: readonly Point[]): number | undefined {
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
