import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';

/** A piece of a function's text that ran. */
interface Stretch {
  readonly covered: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/**
 * Which parts of our code have run, as V8 counts them: what libFuzzer knows of C++. The code must be in files below one
 * address; of others nothing is counted. It is kept letter by letter, because V8 leaves out a block that ran as often as
 * what it stands in: after one single try that is each block that ran.
 */
export class BlockCoverage {
  readonly #session = new Session();
  readonly #below: string;
  /** For each function, which of its letters have run; those of a function within it are its own. */
  readonly #covered = new Map<string, Uint8Array>();
  #stretches = 0;

  constructor(below: string) {
    this.#below = below;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  get stretches(): number {
    return this.#stretches;
  }

  /** What ran since it was asked last and is not known yet. */
  fresh(): readonly Stretch[] {
    const found: Stretch[] = [];
    for (const { url, scriptId, functions } of this.#take()) {
      if (!url.startsWith(this.#below)) continue;
      for (const { ranges } of functions) {
        const [whole] = ranges;
        if (whole === undefined) continue;
        const key = `${scriptId}:${whole.startOffset}-${whole.endOffset}`;
        const covered = this.#coveredOf(key, whole.endOffset - whole.startOffset);
        for (const { from, to } of ranStretches(ranges)) {
          const stretch = { covered, from: from - whole.startOffset, to: to - whole.startOffset };
          if (covered.subarray(stretch.from, stretch.to).includes(0)) found.push(stretch);
        }
      }
    }
    return found;
  }

  know(stretches: readonly Stretch[]): void {
    this.#stretches += stretches.length;
    for (const { covered, from, to } of stretches) covered.fill(1, from, to);
  }

  end(): void {
    this.#session.disconnect();
  }

  #coveredOf(key: string, length: number): Uint8Array {
    const known = this.#covered.get(key);
    if (known !== undefined) return known;
    const made = new Uint8Array(length);
    this.#covered.set(key, made);
    return made;
  }

  /** A session with its own thread answers before `post` is over. */
  #take(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      taken = result;
    });
    return taken;
  }
}

/** Where the innermost of the ranges has run; each stands behind the one that it is in. */
function ranStretches(
  ranges: readonly Profiler.CoverageRange[],
): readonly { readonly from: number; readonly to: number }[] {
  const ran: { from: number; to: number }[] = [];
  const around: Profiler.CoverageRange[] = [];
  let at = 0;
  const until = (to: number): void => {
    if (to > at && (around.at(-1)?.count ?? 0) > 0) ran.push({ from: at, to });
    at = to;
  };
  const leave = (start: number): void => {
    for (let last = around.at(-1); last !== undefined; last = around.at(-1)) {
      if (last.endOffset > start) break;
      until(last.endOffset);
      around.pop();
    }
  };
  for (const range of ranges) {
    leave(range.startOffset);
    until(range.startOffset);
    around.push(range);
  }
  leave(Infinity);
  return ran;
}
