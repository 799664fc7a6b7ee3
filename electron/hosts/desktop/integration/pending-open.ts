import { app } from 'electron';
import type { Lifetime } from '../../../../shared/lifetime.ts';

/** Receives links or files that the system opens with Parley; keeps the last until `serve`. */
export class PendingOpen {
  #waiting: string | undefined;
  #take: ((target: string) => void) | undefined;

  /** `first` comes from the command line. macOS sends an event, which can precede the app's `ready`. */
  constructor(kind: 'links' | 'files', first: string | undefined) {
    this.#waiting = first;
    const take = (event: { readonly preventDefault: () => void }, target: string): void => {
      event.preventDefault();
      this.open(target);
    };
    if (kind === 'links') app.on('open-url', take);
    else app.on('open-file', take);
  }

  open(target: string): void {
    if (this.#take === undefined) this.#waiting = target;
    else this.#take(target);
  }

  /** Passes each item to `take`, beginning with the one that waits. */
  serve(take: (target: string) => void, lifetime: Lifetime): void {
    this.#take = take;
    lifetime.add(() => {
      this.#take = undefined;
    });
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) take(waiting);
  }
}
