import { parentPort, workerData } from 'node:worker_threads';
import { Session, type Profiler } from 'node:inspector';
import type { Random } from '../../shared/ports/clock.ts';
import { seeded } from '../fakes/seeded.ts';
import { mutateBytes } from '../hostile/mutate-bytes.ts';
import { mutateFrame } from '../unit/shared/protocol/mutate-frame.ts';
import {
  findFuzzTarget,
  sharedHeadBytes,
  type FuzzTarget,
  type FuzzReport,
  type FuzzTask,
} from './fuzz-targets.ts';

/** Executions between two coverage readings, each of which takes as long as dozens of executions. */
const [minBatch, maxBatch] = [50, 3200];
const fastBatchMs = 500;
const maxBytes = 20_000;
/** Words with a special meaning in JavaScript, JSON, paths or templates. */
const words = [
  '__proto__',
  'constructor',
  'null',
  '1e999',
  '-1',
  '"\\ud800"',
  '\u0000',
  '{{x}}',
  '../',
];

/** Fuzzes one target in a worker thread: mutates inputs, and keeps those that reach new code. */
class Fuzzer {
  readonly #target: FuzzTarget;
  readonly #task: FuzzTask;
  readonly #random: Random;
  readonly #coverage: BlockCoverage;
  readonly #corpus: Uint8Array[] = [];
  readonly #newInputs: Uint8Array[] = [];
  readonly #found = new Map<string, Uint8Array>();
  readonly #head: Uint32Array;
  #executions = 0;
  #batch = minBatch;

  constructor(target: FuzzTarget, task: FuzzTask) {
    this.#target = target;
    this.#task = task;
    this.#random = seeded(task.seed);
    this.#head = new Uint32Array(task.shared, 0, 2);
    this.#coverage = new BlockCoverage(task.urlPrefix);
  }

  async run(): Promise<FuzzReport> {
    for (const sample of this.#target.samples) await this.#try(sample);
    this.#corpus.push(...this.#target.samples);
    this.#coverage.add(this.#coverage.takeNew());
    for (const input of this.#task.storedInputs) await this.#keepNew([input]);
    const until = performance.now() + this.#task.ms;
    while (performance.now() < until && this.#found.size < this.#task.maxFound)
      await this.#runBatch();
    const { rangeCount } = this.#coverage;
    this.#coverage.end();
    return {
      executions: this.#executions,
      rangeCount,
      corpus: this.#newInputs,
      found: [...this.#found].map(([fault, input]) => ({ fault, input })),
    };
  }

  async #runBatch(): Promise<void> {
    const began = performance.now();
    await this.#keepNew(Array.from({ length: this.#batch }, () => this.#mutated()));
    const fast = performance.now() - began < fastBatchMs;
    this.#batch = fast ? Math.min(maxBatch, this.#batch * 2) : Math.max(minBatch, this.#batch / 2);
  }

  /** Keeps inputs that reach new code, found by bisecting the batch. */
  async #keepNew(inputs: readonly Uint8Array[]): Promise<void> {
    for (const input of inputs) await this.#try(input);
    const fresh = this.#coverage.takeNew();
    if (fresh.length === 0) return;
    const [input] = inputs;
    if (inputs.length === 1 && input !== undefined) {
      this.#coverage.add(fresh);
      this.#corpus.push(input);
      this.#newInputs.push(input);
      return;
    }
    const half = inputs.length / 2;
    await this.#keepNew(inputs.slice(0, half));
    await this.#keepNew(inputs.slice(half));
  }

  async #try(input: Uint8Array): Promise<void> {
    this.#executions += 1;
    new Uint8Array(this.#task.shared, sharedHeadBytes).set(input);
    Atomics.store(this.#head, 1, input.length);
    Atomics.store(this.#head, 0, this.#executions);
    try {
      await this.#target.run(input);
    } catch (error) {
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      // Faults with the same stack count once.
      const known = [...this.#found.keys()].some((other) => placeOf(other) === placeOf(fault));
      if (!known) this.#found.set(fault, input);
    }
  }

  #mutated(): Uint8Array {
    // Half of the time, start from one of the newest inputs, which are closest to new code.
    const newest = this.#random() < 0.5 ? this.#corpus.slice(-8) : this.#corpus;
    const base = this.#pick(newest);
    if (this.#random() < 0.3) return this.#withOneByte(base);
    const changed = this.#random() < 0.5 ? this.#asText(base) : undefined;
    const mutated = changed ?? mutateBytes(base, this.#random, this.#pick(this.#corpus));
    return mutated.subarray(0, maxBytes);
  }

  /** Changes one byte, because small steps reach new code more often. */
  #withOneByte(bytes: Uint8Array): Uint8Array {
    const changed = new Uint8Array(bytes);
    changed[Math.floor(this.#random() * changed.length)] = Math.floor(this.#random() * 256);
    return changed;
  }

  /** Mutates JSON values or inserts a special word; undefined if it does neither. */
  #asText(bytes: Uint8Array): Uint8Array | undefined {
    const text = Buffer.from(bytes).toString();
    try {
      if (text.startsWith('{') && this.#random() < 0.7)
        return Buffer.from(mutateFrame(text, this.#random));
    } catch {
      // The input is not valid JSON.
    }
    if (this.#random() < 0.5) return undefined;
    const at = Math.floor(this.#random() * (text.length + 1));
    const word = words[Math.floor(this.#random() * words.length)] ?? '';
    return Buffer.from(text.slice(0, at) + word + text.slice(at));
  }

  #pick(list: readonly Uint8Array[]): Uint8Array {
    return list[Math.floor(this.#random() * list.length)] ?? new Uint8Array();
  }
}

/** The fault's stack without its message and the fuzzer's own frames. */
function placeOf(fault: string): string {
  return /\n\s+at [^]*?(?=\n[^\n]*#try\b|$)/u.exec(fault)?.[0] ?? fault;
}

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

const task = workerData as FuzzTask;
const target = findFuzzTarget(task.name);
if (target === undefined) throw new Error(`Unknown fuzz target ${task.name}.`);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage(await new Fuzzer(target, task).run());
