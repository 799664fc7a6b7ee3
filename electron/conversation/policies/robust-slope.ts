import { median } from './quantiles.ts';

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
