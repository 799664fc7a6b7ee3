import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';

/** A range of a function's source that ran. */
interface CoveredRange {
  readonly covered: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/**
 * V8's block coverage of our code, the signal that guides the fuzzer. It counts only files whose URL starts with one
 * prefix. It records coverage per character, because V8 omits a block that ran as often as its parent.
 */
export class BlockCoverage {
  readonly #session = new Session();
  readonly #urlPrefix: string;
  /** By function: which characters of its source have run, without nested functions. */
  readonly #covered = new Map<string, Uint8Array>();
  #rangeCount = 0;

  constructor(urlPrefix: string) {
    this.#urlPrefix = urlPrefix;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  get rangeCount(): number {
    return this.#rangeCount;
  }

  /** Ranges that ran since the last call and are new. */
  takeNew(): readonly CoveredRange[] {
    const found: CoveredRange[] = [];
    for (const { url, scriptId, functions } of this.#take()) {
      if (!url.startsWith(this.#urlPrefix)) continue;
      for (const { ranges } of functions) {
        const [whole] = ranges;
        if (whole === undefined) continue;
        const key = `${scriptId}:${whole.startOffset}-${whole.endOffset}`;
        const covered = this.#coveredOf(key, whole.endOffset - whole.startOffset);
        for (const { from, to } of findRanRanges(ranges)) {
          const range = { covered, from: from - whole.startOffset, to: to - whole.startOffset };
          if (covered.subarray(range.from, range.to).includes(0)) found.push(range);
        }
      }
    }
    return found;
  }

  add(ranges: readonly CoveredRange[]): void {
    this.#rangeCount += ranges.length;
    for (const { covered, from, to } of ranges) covered.fill(1, from, to);
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

  /** An inspector session on its own thread calls back before `post` returns. */
  #take(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      taken = result;
    });
    return taken;
  }
}

/** The ranges whose innermost block ran; V8 lists each block after its parent. */
function findRanRanges(
  ranges: readonly Profiler.CoverageRange[],
): readonly { readonly from: number; readonly to: number }[] {
  const ran: { from: number; to: number }[] = [];
  const enclosing: Profiler.CoverageRange[] = [];
  let at = 0;
  const emitUntil = (to: number): void => {
    if (to > at && (enclosing.at(-1)?.count ?? 0) > 0) ran.push({ from: at, to });
    at = to;
  };
  const closeRangesBefore = (start: number): void => {
    for (let last = enclosing.at(-1); last !== undefined; last = enclosing.at(-1)) {
      if (last.endOffset > start) break;
      emitUntil(last.endOffset);
      enclosing.pop();
    }
  };
  for (const range of ranges) {
    closeRangesBefore(range.startOffset);
    emitUntil(range.startOffset);
    enclosing.push(range);
  }
  closeRangesBefore(Infinity);
  return ran;
}
