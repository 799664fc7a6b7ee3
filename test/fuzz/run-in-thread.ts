import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { maxInputBytes, sharedHeadBytes } from './fuzz-task.ts';
import type { FuzzReport, FuzzTask } from './fuzz-task.ts';

/** Limit of processor time for one input; the slowest takes a hundredth of it. */
const maxCpuMs = 30_000;
const lookEveryMs = 1000;
/** Beyond this memory the thread ends, and its current input is a finding. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/** Fuzzes one target in a separate thread. If the thread hangs or runs out of memory, the input is known. */
export async function runInThread(
  file: string,
  task: Omit<FuzzTask, 'shared' | 'below'>,
): Promise<FuzzReport> {
  const shared = new SharedArrayBuffer(sharedHeadBytes + maxInputBytes);
  const below = pathToFileURL(file).href.replace(/[^/]+$/u, '');
  const workerData: FuzzTask = { ...task, shared, below };
  const worker = new Worker(file, { workerData, resourceLimits });
  const watch = new HangWatch(shared, () => void worker.terminate());
  let report: FuzzReport | undefined;
  let failed: unknown;
  worker.on('message', (told: FuzzReport) => {
    report = told;
  });
  worker.on('error', (error: unknown) => {
    failed = error;
  });
  await once(worker, 'exit').finally(() => {
    watch.end();
  });
  if (report !== undefined) return report;
  const fault = watch.hung ? 'It hangs.' : `The thread ended: ${String(failed)}`;
  const { executions, input } = watch.last();
  return { executions, stretches: 0, corpus: [], found: [{ fault, input }] };
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
    }, lookEveryMs);
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
