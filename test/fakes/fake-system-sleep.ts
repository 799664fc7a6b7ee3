import type { SystemSleep } from '../../shared/ports/desktop.ts';

/** A machine whose sleep, wake-up and lock the test reports. */
export class FakeSystemSleep implements SystemSleep {
  readonly #resumed = new Set<() => void>();
  readonly #suspending = new Set<() => void>();
  readonly #locked = new Set<() => void>();

  readonly onResume: SystemSleep['onResume'] = (resumed) => listen(this.#resumed, resumed);
  readonly onSuspend: SystemSleep['onSuspend'] = (listener) => listen(this.#suspending, listener);
  readonly onLock: SystemSleep['onLock'] = (locked) => listen(this.#locked, locked);

  get listeners(): number {
    return this.#resumed.size + this.#suspending.size + this.#locked.size;
  }

  resume(): void {
    for (const resumed of this.#resumed) resumed();
  }

  suspend(): void {
    for (const suspending of this.#suspending) suspending();
  }

  lock(): void {
    for (const locked of this.#locked) locked();
  }
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
