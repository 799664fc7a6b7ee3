import type { Counts } from './count-heap.ts';

/** What there was at one moment, after so many rounds. */
export interface Mark {
  readonly rounds: number;
  readonly counts: Counts;
}

/** What seems to grow has to grow in each of this many more rounds. */
export const moreRounds = 4;

/**
 * What there is more of each time it is looked: at least one more a round between any two marks. What is
 * made once, or now and then thrown away, is none of it.
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

/** The numbers behind it, for who is to mend it. */
export function inNumbers(marks: readonly Mark[], name: string): string {
  return `${name}: ${marks.map(({ counts }) => counts[name] ?? 0).join(', ')}`;
}
