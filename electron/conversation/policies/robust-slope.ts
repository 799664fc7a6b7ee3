import { median } from './quantiles.ts';

interface Point {
  readonly at: number;
  readonly value: number;
}

const mostPoints = 20;
const fewestPoints = 4;
/** Several events of one step carry the same figure; they are one point. */
export const sameSampleMs = 250;
/** A shorter stretch says nothing about the rate. */
const shortestMs = 3_000;

/** How fast a figure grows: the median over all pairs of the last points, which one odd point cannot turn. */
export class RobustSlope {
  #points: readonly Point[] = [];
  /** Worked out when a point comes, because it is asked for more often. */
  #perSecond: number | undefined;

  add(at: number, value: number): void {
    const last = this.#points.at(-1);
    const kept =
      last !== undefined && at - last.at < sameSampleMs ? this.#points.slice(0, -1) : this.#points;
    // The point keeps its first moment, so that a stream of events does not push it along for ever.
    const moment = kept === this.#points || last === undefined ? at : last.at;
    this.#points = [...kept, { at: moment, value }].slice(-mostPoints);
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
  if (points.length < fewestPoints || last.at - first.at < shortestMs) return undefined;
  const slopes: number[] = [];
  for (const [index, later] of points.entries())
    for (const earlier of points.slice(0, index))
      slopes.push(((later.value - earlier.value) / (later.at - earlier.at)) * 1000);
  return median(slopes.toSorted((a, b) => a - b));
}
