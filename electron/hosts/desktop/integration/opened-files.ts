import { app } from 'electron';
import type { Lifetime } from '../../../../shared/lifetime.ts';
import { readStartArguments } from './command-line.ts';

/** Tapes that the system hands to Parley, from the first moment on: the last one is kept until somebody takes it. */
export class OpenedFiles {
  #waiting: string | undefined;
  #take: ((path: string) => void) | undefined;

  constructor(argv: readonly string[]) {
    this.#waiting = readStartArguments(argv).tape;
    // macOS hands them over as an event, at a start before the program is ready.
    app.on('open-file', (event, path) => {
      event.preventDefault();
      this.open(path);
    });
  }

  open(path: string): void {
    if (this.#take === undefined) this.#waiting = path;
    else this.#take(path);
  }

  /** From now on they are taken; the one that waits is taken at once. */
  serve(take: (path: string) => void, lifetime: Lifetime): void {
    this.#take = take;
    lifetime.add(() => {
      this.#take = undefined;
    });
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) take(waiting);
  }
}
