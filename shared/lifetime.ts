type Release = () => void | Promise<void>;

interface Registration {
  /** Identifies a release that hangs. */
  readonly name: string;
  readonly release: Release;
}

/** Limits how long `Lifetime.end` waits for each release. */
export interface ReleaseTimeout {
  readonly timeout: () => Promise<unknown>;
  readonly onTimeout: (name: string) => void;
}

/** Observes every lifetime. Tests detect leaks with it. */
export interface LifetimeObserver {
  readonly onBegin: (lifetime: Lifetime) => void;
  readonly onEnd: (lifetime: Lifetime) => void;
}

let observer: LifetimeObserver | undefined;

export function observeLifetimes(next: LifetimeObserver | undefined): void {
  observer = next;
}

/**
 * Owns open resources. Code that opens a resource registers its release at once. `end` runs each release once, in
 * reverse order, even if one throws.
 */
export class Lifetime {
  readonly name: string;
  readonly #releases: Registration[] = [];
  /** Runs releases that are registered after the end. */
  readonly #lateReleases = new SerialQueue();
  #ended: Promise<void> | undefined;

  constructor(name: string) {
    this.name = name;
    observer?.onBegin(this);
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Registers a release. After `end` was called, the release runs once the others have finished. */
  add(release: Release, name: string = release.name): void {
    if (this.#ended === undefined)
      this.#releases.push({ name: name || 'unnamed release', release });
    else void this.#lateReleases.run(() => this.#releaseAfter(release));
  }

  /** With a timeout, a release that hangs does not block the others. */
  async end(timeout?: ReleaseTimeout): Promise<void> {
    this.#ended ??= this.#releaseAll(timeout);
    await this.#ended;
    await this.#lateReleases.settled();
  }

  async #releaseAfter(release: Release): Promise<void> {
    await this.#ended?.catch(() => undefined);
    await release();
  }

  async #releaseAll(timeout: ReleaseTimeout | undefined): Promise<void> {
    const failures: unknown[] = [];
    for (const { name, release } of this.#releases.splice(0).toReversed()) {
      try {
        const releasing = release();
        await (timeout === undefined || releasing === undefined
          ? releasing
          : releaseWithTimeout(name, releasing, timeout));
      } catch (failure) {
        failures.push(failure);
      }
    }
    observer?.onEnd(this);
    if (failures.length > 0) throw new AggregateError(failures, `${this.name} did not end cleanly`);
  }
}

async function releaseWithTimeout(
  name: string,
  releasing: Promise<void>,
  { timeout, onTimeout }: ReleaseTimeout,
): Promise<void> {
  const result = await Promise.race([
    releasing.then(() => 'released' as const),
    timeout().then(() => 'hangs' as const),
  ]);
  if (result === 'released') return;
  onTimeout(name);
  // A late failure must not become an unhandled rejection.
  releasing.catch(() => undefined);
}

/**
 * Runs tasks one at a time, in order. A task that rejects does not stop the next ones. Its caller gets the rejection,
 * which is unhandled if the caller does not await it.
 */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #pendingCount = 0;

  run<Value>(task: () => Value | Promise<Value>): Promise<Value> {
    this.#pendingCount += 1;
    const result = this.#last.then(task).finally(() => {
      this.#pendingCount -= 1;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when the queue is empty, including tasks added meanwhile. */
  async settled(): Promise<void> {
    while (this.#pendingCount > 0) await this.#last;
  }
}

/**
 * Returns a function that opens something on first use and shares it between its callers. A rejection or an unusable value
 * is discarded, so that the next caller opens it again.
 */
export function openOnce<Value>(
  open: () => Promise<Value>,
  isUsable: (value: Value) => boolean = () => true,
): () => Promise<Value> {
  let opening: Promise<Value> | undefined;
  const opened = async (): Promise<Value> => {
    let isKept = false;
    // `opening` must be assigned before a synchronous throw can clear it.
    await Promise.resolve();
    try {
      const value = await open();
      isKept = isUsable(value);
      return value;
    } finally {
      if (!isKept) opening = undefined;
    }
  };
  return () => (opening ??= opened());
}
