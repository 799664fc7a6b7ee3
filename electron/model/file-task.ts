import type { Outcome } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Job } from './model-disk.ts';

/** A sequence of jobs that can be stopped as one. */
export class FileTask {
  readonly #clock: Clock;
  #isStopped = false;
  #stopStep: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopStep?.();
  }

  /** Undefined if the task was stopped. */
  async follow<Value>({ result, stop }: Job<Value>): Promise<Outcome<Value> | undefined> {
    this.#stopStep = stop;
    if (this.#isStopped) stop();
    const outcome = await result;
    this.#stopStep = undefined;
    return outcome;
  }

  /** Ends early if the task is stopped. */
  async wait(milliseconds: number): Promise<void> {
    if (this.#isStopped || milliseconds === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(milliseconds, resolve);
      this.#stopStep = () => {
        cancel();
        resolve();
      };
    });
    this.#stopStep = undefined;
  }
}
