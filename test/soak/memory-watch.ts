import { readdirSync } from 'node:fs';
import { readMemory } from '../bench/page/process-usage.ts';
import { fitLine } from './linear-fit.ts';

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
