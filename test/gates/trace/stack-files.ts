import { vi } from 'vitest';

const product = /(?:^|\/)((?:electron|renderer|shared)\/[\w./-]+?\.tsx?)(?=[:?)]|$)/gm;

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
  const files = [...stack().matchAll(product)].map(([, file = '']) => file).toReversed();
  return [...new Set(files)];
}
