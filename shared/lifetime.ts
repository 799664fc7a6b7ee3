import { SerialQueue } from './serial-queue.ts';

type Release = () => void | Promise<void>;

/** Told of every lifetime that begins and ends; the tests' leak guard listens here. */
export interface LifetimeWatch {
  readonly begun: (lifetime: Lifetime) => void;
  readonly ended: (lifetime: Lifetime) => void;
}

let watch: LifetimeWatch | undefined;

export function watchLifetimes(watcher: LifetimeWatch | undefined): void {
  watch = watcher;
}

/**
 * Owns what was opened. Whatever opens something registers its release at the place where it opens
 * it; `end` releases in reverse order, each exactly once, and goes on when one of them throws.
 */
export class Lifetime {
  readonly name: string;
  readonly #releases: Release[] = [];
  /** What is registered after the end. */
  readonly #late = new SerialQueue();
  #ended: Promise<void> | undefined;

  constructor(name: string) {
    this.name = name;
    watch?.begun(this);
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Registers a release. After the end there is nothing to wait for: it is released at once. */
  add(release: Release): void {
    if (this.#ended === undefined) this.#releases.push(release);
    else void this.#late.run(() => this.#releaseAfter(release));
  }

  async end(): Promise<void> {
    this.#ended ??= this.#releaseAll();
    await this.#ended;
    await this.#late.settled();
  }

  /** Also where the end was not a clean one. */
  async #releaseAfter(release: Release): Promise<void> {
    await this.#ended?.catch(() => undefined);
    await release();
  }

  async #releaseAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const release of this.#releases.splice(0).toReversed()) {
      try {
        await release();
      } catch (failure) {
        failures.push(failure);
      }
    }
    watch?.ended(this);
    if (failures.length > 0) throw new AggregateError(failures, `${this.name} did not end cleanly`);
  }
}
