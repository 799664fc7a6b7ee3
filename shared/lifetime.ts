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

/**
 * Runs tasks one after the other, in the order they were given. One that rejects harms none after
 * it: whoever gave it learns of that, and where nobody waits for it, it is an unhandled rejection
 * like any other fault.
 */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  run<Value>(task: () => Value | Promise<Value>): Promise<Value> {
    this.#waiting += 1;
    const result = this.#last.then(task).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves once everything that was given has been run, also what was given meanwhile. */
  async settled(): Promise<void> {
    while (this.#waiting > 0) await this.#last;
  }
}

/**
 * One for all who ask, opened when it is first asked for. What rejected, or is not `good`, is not
 * kept: whoever asks next has it opened again.
 */
export function openOnce<Value>(
  open: () => Promise<Value>,
  good: (value: Value) => boolean = () => true,
): () => Promise<Value> {
  let opening: Promise<Value> | undefined;
  const opened = async (): Promise<Value> => {
    let kept = false;
    // What throws at once must not be forgotten before it is there to be forgotten.
    await Promise.resolve();
    try {
      const value = await open();
      kept = good(value);
      return value;
    } finally {
      if (!kept) opening = undefined;
    }
  };
  return () => (opening ??= opened());
}
