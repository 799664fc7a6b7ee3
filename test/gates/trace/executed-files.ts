import { Session, type Profiler } from 'node:inspector';
import { vi } from 'vitest';

const productFile = /\/((?:electron|renderer|shared)\/[\w./-]+\.tsx?)$/;

/** Lists the product's files that ran a function, from V8's coverage. */
export class ExecutedFiles {
  readonly #session = new Session();

  begin(): void {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  end(): void {
    this.#session.disconnect();
  }

  /** Files that ran since the last call. */
  take(): readonly string[] {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      scripts = result;
    });
    return scripts
      .filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
      .flatMap(({ url }) => productFile.exec(url)?.[1] ?? [])
      .toSorted();
  }
}

const stackFrameFiles = /(?:^|\/)((?:electron|renderer|shared)\/[\w./-]+?\.tsx?)(?=[:?)]|$)/gm;

/** The stack that set the current timer, followed by the stacks of earlier timers. */
let timerStack = '';

/** Patches timers to remember the stack that set them, so that call paths continue across timers. */
export function followTimers(): void {
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const) {
    const original = globalThis[name] as (run: () => void, ...rest: unknown[]) => unknown;
    const follow = (run: (...args: readonly unknown[]) => void, ...rest: unknown[]): unknown => {
      const before = stack();
      const walk = (...args: readonly unknown[]): void => {
        const outer = timerStack;
        timerStack = before;
        try {
          run(...args);
        } finally {
          timerStack = outer;
        }
      };
      return original(walk, ...rest);
    };
    vi.stubGlobal(name, Object.assign(follow, original));
  }
  Error.stackTraceLimit = 100;
}

function stack(): string {
  return `${new Error('here').stack ?? ''}\n${timerStack}`.slice(0, 20_000);
}

/** The product's files on the current call stack, outermost first. */
export function filesOnStack(): readonly string[] {
  const files = [...stack().matchAll(stackFrameFiles)].map(([, file = '']) => file).toReversed();
  return [...new Set(files)];
}
