import { readdirSync } from 'node:fs';
import { readMemory } from '../bench/page/process-usage.ts';
import { quantile } from '../../shared/statistics.ts';

/** Sizes at one time of the run. */
interface Mark {
  readonly minute: number;
  /** Megabytes (PSS) by part of the app. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Private dirty memory of each part; unlike PSS, it does not change when programs that share pages come and go. */
  readonly own: ReadonlyMap<string, number>;
  readonly files: number;
  readonly threads: number;
}

/** Growth of one part of the app between the first and the last mark. */
export interface Growth {
  readonly part: string;
  readonly first: number;
  readonly last: number;
  /** The rise of a fitted line from the first mark to the last. */
  readonly risen: number;
}

/** Measures an app's memory, open files and threads during a soak test, and their growth. */
export class MemoryWatch {
  readonly marks: Mark[] = [];
  readonly #pid: number;

  constructor(pid: number) {
    this.#pid = pid;
  }

  mark(minute: number): Mark {
    const count = (what: string): number => readdirSync(`/proc/${this.#pid}/${what}`).length;
    const mark = {
      minute,
      sizes: readMemory(this.#pid),
      own: readMemory(this.#pid, 'Private_Dirty'),
      files: count('fd'),
      threads: count('task'),
    };
    this.marks.push(mark);
    return mark;
  }

  /** All parts together, each part, open files, and threads; a part's name says how memory was counted. */
  growth(): readonly Growth[] {
    const parts = new Set(this.marks.flatMap(({ own }) => [...own.keys()]));
    return [
      this.#growth('all, PSS', ({ sizes }) => sum(sizes)),
      this.#growth('all, own', ({ own }) => sum(own)),
      ...[...parts].map((part) => this.#growth(`${part}, own`, ({ own }) => own.get(part) ?? 0)),
      this.#growth('open files', ({ files }) => files),
      this.#growth('threads', ({ threads }) => threads),
    ];
  }

  #growth(part: string, size: (mark: Mark) => number): Growth {
    const line = fitLine(this.marks.map((mark) => [mark.minute, size(mark)]));
    const minutes = (this.marks.at(-1)?.minute ?? 0) - (this.marks[0]?.minute ?? 0);
    const [first = Number.NaN, last = Number.NaN] = [this.marks[0], this.marks.at(-1)].map(
      (mark) => mark && size(mark),
    );
    return { part, first, last, risen: line.slope * minutes };
  }
}

function sum(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((all, size) => all + size, 0);
}

/** Fits a line to points by least squares. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): {
  readonly slope: number;
  /** The coefficient of determination, from 0 to 1. */
  readonly fit: number;
} {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const sum = (of: (x: number, y: number) => number): number =>
    points.reduce((all, [px, py]) => all + of(px - x, py - y), 0);
  const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)];
  return { slope: xx === 0 ? 0 : xy / xx, fit: xx * yy === 0 ? 0 : (xy * xy) / (xx * yy) };
}

/**
 * In 19 of 20 runs with as many points and as much spread, a fitted line rises by chance by at most this, from end to end.
 * A smaller rise does not prove drift. The spread is the interquartile range, so that outliers do not count.
 */
export function riseByChance(values: readonly number[]): number {
  const deviation = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.35;
  return 2 * deviation * Math.sqrt(12 / values.length);
}
