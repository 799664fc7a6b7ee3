import { app } from 'electron';
import type { Lifetime } from '../../../../shared/lifetime.ts';
import { readStartArguments } from './command-line.ts';

/** Links that the system hands to Parley, from the first moment on: they are kept until somebody takes them. */
export class DeepLinks {
  #waiting: string | undefined;
  #take: ((link: string) => void) | undefined;

  constructor(argv: readonly string[]) {
    this.#waiting = readStartArguments(argv).link;
    // macOS hands them over as an event, at a start before the program is ready.
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.open(link);
    });
  }

  open(link: string): void {
    if (this.#take === undefined) this.#waiting = link;
    else this.#take(link);
  }

  /** From now on they are taken; the one that waits is taken at once. */
  serve(take: (link: string) => void, lifetime: Lifetime): void {
    this.#take = take;
    lifetime.add(() => {
      this.#take = undefined;
    });
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) take(waiting);
  }
}
