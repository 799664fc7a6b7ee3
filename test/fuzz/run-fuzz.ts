import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  maxInputBytes,
  sharedHeadBytes,
  findFuzzTarget,
  fuzzTargets,
  plantedTarget,
  type FuzzReport,
  type FuzzTask,
} from './fuzz-targets.ts';
import { build } from 'vite';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** Modules of `test/fixtures` look for files beside them, so the bundle gets their folder. */
const fixtures = join(root, 'test', 'fixtures');

interface FuzzOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Part of a target's name; empty for all. */
  readonly only: string;
  /** Writes inputs that reached new code into the repository's corpus. */
  readonly keep: boolean;
  /** Folder for the inputs that caused faults. */
  readonly findings: string;
  readonly say: (line: string) => void;
}

export interface FuzzSummary {
  readonly targets: number;
  readonly executions: number;
  readonly found: number;
}

/** Fuzzes each target for an equal share of the time, guided by coverage. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzSummary> {
  const { seed, minutes, only, keep, findings, say } = options;
  const planted = only === plantedTarget.name ? [plantedTarget] : undefined;
  const wanted = planted ?? fuzzTargets.filter(({ name }) => name.includes(only));
  // Inside the project, so that imports of external packages resolve.
  const folder = mkdtempSync(join(root, 'node_modules', '.parley-fuzz-'));
  let [executions, found] = [0, 0];
  try {
    const file = await bundleWorker(folder);
    for (const { name } of wanted) {
      const ms = (minutes * 60_000) / wanted.length;
      const maxFound = planted === undefined ? 10 : 1;
      const report = await runInThread(file, {
        name,
        seed,
        ms,
        maxFound,
        storedInputs: readCorpus(name),
      });
      say(
        `${name}: ${report.executions} executions, ${report.rangeCount} ranges of code, ${report.corpus.length} kept`,
      );
      for (const { input, fault } of report.found) {
        say(`FOUND ${saveFinding(findings, name, input)}: ${fault.slice(0, 1000)}`);
      }
      if (keep) writeCorpus(name, report.corpus);
      executions += report.executions;
      found += report.found.length;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { targets: wanted.length, executions, found };
}

/** Saves the input as a file for `--replay`. */
function saveFinding(folder: string, target: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true });
  const number = createHash('sha256').update(input).digest('hex').slice(0, 12);
  const path = join(folder, `${encodeURIComponent(target)}.${number}`);
  writeFileSync(path, input);
  return path;
}

/** Runs a saved input once; it throws if the fault occurs again. */
export async function replayFinding(path: string): Promise<unknown> {
  const name = decodeURIComponent(basename(path).replace(/\.[\da-f]+$/u, ''));
  const target = findFuzzTarget(name);
  if (target === undefined) throw new Error(`Unknown fuzz target ${name}.`);
  return target.run(new Uint8Array(readFileSync(path)));
}

/** Limit of processor time for one input; the slowest takes a hundredth of it. */
const maxCpuMs = 30_000;
const pollMs = 1000;
/** Beyond this memory the thread ends, and its current input is a finding. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/** Fuzzes one target in a separate thread. If the thread hangs or runs out of memory, the input is known. */
async function runInThread(
  file: string,
  task: Omit<FuzzTask, 'shared' | 'urlPrefix'>,
): Promise<FuzzReport> {
  const shared = new SharedArrayBuffer(sharedHeadBytes + maxInputBytes);
  const urlPrefix = pathToFileURL(file).href.replace(/[^/]+$/u, '');
  const workerData: FuzzTask = { ...task, shared, urlPrefix };
  const worker = new Worker(file, { workerData, resourceLimits });
  const watch = new HangWatch(shared, () => void worker.terminate());
  let report: FuzzReport | undefined;
  let failed: unknown;
  worker.on('message', (message: FuzzReport) => {
    report = message;
  });
  worker.on('error', (error: unknown) => {
    failed = error;
  });
  await once(worker, 'exit').finally(() => {
    watch.end();
  });
  if (report !== undefined) return report;
  const fault = watch.hung ? 'The target hangs.' : `The thread ended: ${String(failed)}`;
  const { executions, input } = watch.last();
  return { executions, rangeCount: 0, corpus: [], found: [{ fault, input }] };
}

/** Detects a hang: one input that takes too much processor time. */
class HangWatch {
  readonly #shared: SharedArrayBuffer;
  readonly #head: Uint32Array;
  readonly #timer: NodeJS.Timeout;
  #count = 0;
  #since = process.cpuUsage();
  hung = false;

  constructor(shared: SharedArrayBuffer, hangs: () => void) {
    this.#shared = shared;
    this.#head = new Uint32Array(shared, 0, 2);
    this.#timer = setInterval(() => {
      const count = Atomics.load(this.#head, 0);
      if (count !== this.#count) {
        this.#count = count;
        this.#since = process.cpuUsage();
        return;
      }
      const { user, system } = process.cpuUsage(this.#since);
      this.hung = (user + system) / 1000 > maxCpuMs;
      if (this.hung) hangs();
    }, pollMs);
  }

  last(): { readonly executions: number; readonly input: Uint8Array } {
    const length = Atomics.load(this.#head, 1);
    const input = new Uint8Array(this.#shared, sharedHeadBytes, length).slice();
    return { executions: Atomics.load(this.#head, 0), input };
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/** Bundles the fuzzed code into plain JavaScript, so that V8 counts its coverage. Packages stay external. */
async function bundleWorker(folder: string): Promise<string> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { 'import.meta.dirname': JSON.stringify(fixtures) },
    build: {
      ssr: join(import.meta.dirname, 'fuzz-worker.ts'),
      outDir: folder,
      target: 'node20',
      minify: false,
    },
  });
  return join(folder, 'fuzz-worker.js');
}

/** Inputs that reached new code in earlier runs: per target, in base64. */
const corpusFile = join(import.meta.dirname, 'corpus.json');
/** Limits the file to some kilobytes; runs find longer inputs again. */
const maxInputs = 40;
const maxStoredBytes = 300;

type Corpus = Readonly<Record<string, readonly string[]>>;

const readAll = (): Corpus => JSON.parse(readFileSync(corpusFile, 'utf8')) as Corpus;

const keyOf = (target: string): string => target.replaceAll(/[^a-z]+/giu, '-').toLowerCase();

function readCorpus(target: string): readonly Uint8Array[] {
  const stored = readAll()[keyOf(target)] ?? [];
  return stored.map((input) => new Uint8Array(Buffer.from(input, 'base64')));
}

/** Stores inputs in order: each ran a block that none before it ran. */
function writeCorpus(target: string, inputs: readonly Uint8Array[]): void {
  const kept = inputs.filter(({ length }) => length <= maxStoredBytes).slice(0, maxInputs);
  if (kept.length === 0) return;
  const stored = kept.map((input) => Buffer.from(input).toString('base64'));
  const corpus = { ...readAll(), [keyOf(target)]: stored };
  writeFileSync(corpusFile, `${JSON.stringify(corpus, undefined, 2)}\n`);
}
