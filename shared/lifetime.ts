import { SerialQueue } from './serial-queue.ts';

type Release = () => void | Promise<void>;

interface Owned {
  /** What hangs is named by it. */
  readonly name: string;
  readonly release: Release;
}

/** How long an end waits for one release before it goes on without it. */
export interface EndPatience {
  readonly longEnough: () => Promise<unknown>;
  readonly hangs: (name: string) => void;
}

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
  readonly #releases: Owned[] = [];
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
  add(release: Release, name: string = release.name): void {
    if (this.#ended === undefined) this.#releases.push({ name: name || 'a nameless one', release });
    else void this.#late.run(() => this.#releaseAfter(release));
  }

  /** With `patience`, nothing that hangs holds up what was opened before it. */
  async end(patience?: EndPatience): Promise<void> {
    this.#ended ??= this.#releaseAll(patience);
    await this.#ended;
    await this.#late.settled();
  }

  /** Also where the end was not a clean one. */
  async #releaseAfter(release: Release): Promise<void> {
    await this.#ended?.catch(() => undefined);
    await release();
  }

  async #releaseAll(patience: EndPatience | undefined): Promise<void> {
    const failures: unknown[] = [];
    for (const { name, release } of this.#releases.splice(0).toReversed()) {
      try {
        const released = release();
        await (patience === undefined || released === undefined
          ? released
          : releasedOrHanging(name, released, patience));
      } catch (failure) {
        failures.push(failure);
      }
    }
    watch?.ended(this);
    if (failures.length > 0) throw new AggregateError(failures, `${this.name} did not end cleanly`);
  }
}

async function releasedOrHanging(
  name: string,
  released: Promise<void>,
  { longEnough, hangs }: EndPatience,
): Promise<void> {
  const first = await Promise.race([
    released.then(() => 'released' as const),
    longEnough().then(() => 'hangs' as const),
  ]);
  if (first === 'released') return;
  hangs(name);
  // It may still fail, and nobody waits for it any more.
  released.catch(() => undefined);
}
