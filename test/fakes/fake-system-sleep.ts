import type { SystemSleep } from '../../shared/ports/desktop.ts';

/** The sleep, wake-up and lock of a machine, which the test triggers. */
export class FakeSystemSleep implements SystemSleep {
  readonly #resumed = new Set<() => void>();
  readonly #suspending = new Set<() => void>();
  readonly #locked = new Set<() => void>();

  readonly onResume: SystemSleep['onResume'] = (listener) => listen(this.#resumed, listener);
  readonly onSuspend: SystemSleep['onSuspend'] = (listener) => listen(this.#suspending, listener);
  readonly onLock: SystemSleep['onLock'] = (listener) => listen(this.#locked, listener);

  get listeners(): number {
    return this.#resumed.size + this.#suspending.size + this.#locked.size;
  }

  resume(): void {
    for (const listener of this.#resumed) listener();
  }

  suspend(): void {
    for (const listener of this.#suspending) listener();
  }

  lock(): void {
    for (const listener of this.#locked) listener();
  }
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
