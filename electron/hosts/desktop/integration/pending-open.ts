import { app } from 'electron';
import type { Lifetime } from '../../../../shared/lifetime.ts';

/** Receives links or files that the system opens with Parley. The newest waits until `serve`. */
export class PendingOpen {
  #pending: string | undefined;
  #onOpen: ((target: string) => void) | undefined;

  /** `initial` comes from the command line. macOS sends an event instead, which can precede the app's `ready`. */
  constructor(kind: 'links' | 'files', initial: string | undefined) {
    this.#pending = initial;
    const onEvent = (event: { readonly preventDefault: () => void }, target: string): void => {
      event.preventDefault();
      this.open(target);
    };
    if (kind === 'links') app.on('open-url', onEvent);
    else app.on('open-file', onEvent);
  }

  open(target: string): void {
    if (this.#onOpen === undefined) this.#pending = target;
    else this.#onOpen(target);
  }

  /** Passes each item to `onOpen`, beginning with the pending one. */
  serve(onOpen: (target: string) => void, lifetime: Lifetime): void {
    this.#onOpen = onOpen;
    lifetime.add(() => {
      this.#onOpen = undefined;
    });
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending !== undefined) onOpen(pending);
  }
}
