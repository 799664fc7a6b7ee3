import { failure } from '../../shared/errors/app-error.ts';
import type { Outcome } from '../ports/outcome.ts';

interface Deps {
  /** A talk has the devices; nobody else gets them. */
  readonly talking: () => boolean;
  /** Silences what is spoken beside a talk: it would be heard in a recording. */
  readonly silence: () => void;
}

type Stop = () => Promise<void>;

/** Microphone and speaker outside a talk: one use at a time, and none while somebody talks. */
export class DeviceLock {
  readonly #deps: Deps;
  #stop: Stop | undefined;
  /** Resolves when every earlier use has closed its devices. */
  #allStopped: Promise<unknown> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Nobody listens or plays at the moment. */
  get free(): boolean {
    return this.#stop === undefined && !this.#deps.talking();
  }

  /** Stops who has the devices, and lets the next one; the returned function gives them back. */
  async acquire(stop: Stop): Promise<Outcome<() => void>> {
    if (this.#deps.talking()) return failure('talkHasSound');
    const before = this.#stop;
    this.#stop = stop;
    this.#deps.silence();
    await this.#waitFor(before);
    return {
      ok: true,
      value: () => {
        if (this.#stop === stop) this.#stop = undefined;
      },
    };
  }

  /** A talk begins: everybody else stops, and has stopped when this resolves. */
  async preempt(): Promise<void> {
    const before = this.#stop;
    this.#stop = undefined;
    this.#deps.silence();
    await this.#waitFor(before);
  }

  /** Waits for earlier uses too: one may still be closing although the use after it never opened. */
  async #waitFor(stop: Stop | undefined): Promise<void> {
    // The caller that stopped the earlier use got its failure.
    const earlier = this.#allStopped.catch(() => undefined);
    this.#allStopped = Promise.all([earlier, stop?.()]);
    await this.#allStopped;
  }
}
