import { vi } from 'vitest';

const product = /(?:^|\/)((?:electron|renderer|shared)\/[\w./-]+?\.tsx?)(?=[:?)]|$)/gm;

/** Whoever set the timer that runs now, and whoever set that one's. */
let setBy = '';

/** Calls are followed over timers, too: what is held back goes on in one. */
export function followTimers(): void {
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const) {
    const original = globalThis[name] as (run: () => void, ...rest: unknown[]) => unknown;
    const follow = (run: (...args: readonly unknown[]) => void, ...rest: unknown[]): unknown => {
      const before = stack();
      const walk = (...args: readonly unknown[]): void => {
        const outer = setBy;
        setBy = before;
        try {
          run(...args);
        } finally {
          setBy = outer;
        }
      };
      return original(walk, ...rest);
    };
    vi.stubGlobal(name, Object.assign(follow, original));
  }
  Error.stackTraceLimit = 100;
}

function stack(): string {
  return `${new Error('here').stack ?? ''}\n${setBy}`.slice(0, 20_000);
}

/** The product's files that wait for this call to come back, from the first caller to the last. */
export function filesOnPath(): readonly string[] {
  const files = [...stack().matchAll(product)].map(([, file = '']) => file).toReversed();
  return [...new Set(files)];
}
