import type { SystemSleep } from '../../electron/ports/system-sleep.ts';

/** A machine that wakes when the test says so. */
export class FakeSystemSleep implements SystemSleep {
  readonly #listeners = new Set<() => void>();

  readonly onResume: SystemSleep['onResume'] = (resumed) => {
    this.#listeners.add(resumed);
    return () => {
      this.#listeners.delete(resumed);
    };
  };

  /** How many wait for it. */
  get listeners(): number {
    return this.#listeners.size;
  }

  resume(): void {
    for (const resumed of this.#listeners) resumed();
  }
}
