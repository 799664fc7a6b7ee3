import type { Counts } from './count-heap.ts';

/** The counts after a number of rounds. */
export interface Mark {
  readonly rounds: number;
  readonly counts: Counts;
}

/** Suspected growth must continue in each of this many further rounds. */
export const moreRounds = 4;

/**
 * Lists names that grow by at least one per round between all marks. One-time objects and objects that are sometimes
 * freed do not count.
 */
export function grown(marks: readonly Mark[]): readonly string[] {
  const names = new Set(marks.flatMap(({ counts }) => Object.keys(counts)));
  return [...names]
    .filter((name) =>
      marks.slice(1).every(({ rounds, counts }, before) => {
        const earlier = marks[before];
        if (earlier === undefined) return false;
        return (counts[name] ?? 0) - (earlier.counts[name] ?? 0) >= rounds - earlier.rounds;
      }),
    )
    .toSorted((one, other) => one.localeCompare(other));
}

/** The counts of a growing name, for the failure message. */
export function describeGrowth(marks: readonly Mark[], name: string): string {
  return `${name}: ${marks.map(({ counts }) => counts[name] ?? 0).join(', ')}`;
}
