import { app } from 'electron';
import type { Lifetime } from '../../../../shared/lifetime.ts';

/** Links or files that the system opens with Parley, from the first moment on: the last one is kept until somebody takes it. */
export class PendingOpen {
  #waiting: string | undefined;
  #take: ((one: string) => void) | undefined;

  /** `first` came with the start; macOS hands them over as an event, at a start before the program is ready. */
  constructor(what: 'links' | 'files', first: string | undefined) {
    this.#waiting = first;
    const take = (event: { readonly preventDefault: () => void }, one: string): void => {
      event.preventDefault();
      this.open(one);
    };
    if (what === 'links') app.on('open-url', take);
    else app.on('open-file', take);
  }

  open(one: string): void {
    if (this.#take === undefined) this.#waiting = one;
    else this.#take(one);
  }

  /** From now on they are taken; the one that waits is taken at once. */
  serve(take: (one: string) => void, lifetime: Lifetime): void {
    this.#take = take;
    lifetime.add(() => {
      this.#take = undefined;
    });
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) take(waiting);
  }
}
