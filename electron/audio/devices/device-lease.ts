import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Page } from '../../../shared/ipc/page.ts';

type Stop = () => Promise<void>;

/** A lock on the sound devices. Outside a talk it has one holder at a time; during a talk, nobody can take it. */
export class DeviceLock {
  #talk: { readonly isActive: boolean } = { isActive: false };
  readonly #takenListeners: (() => void)[] = [];
  #stop: Stop | undefined;
  /** Resolves when every earlier use has closed its devices. */
  #allStopped: Promise<unknown> = Promise.resolve();

  setTalk(talk: { readonly isActive: boolean }): void {
    this.#talk = talk;
  }

  /**
   * Registers a callback that runs whenever the devices are taken, to stop other playback that a recording would
   * pick up.
   */
  onTaken(listener: () => void): void {
    this.#takenListeners.push(listener);
  }

  get isFree(): boolean {
    return this.#stop === undefined && !this.#talk.isActive;
  }

  /** Stops the current use and takes the devices; call the returned function to give them back. */
  async acquire(stop: Stop): Promise<Outcome<() => void>> {
    if (this.#talk.isActive) return failure('talkHasSound');
    const previous = this.#stop;
    this.#stop = stop;
    for (const listener of this.#takenListeners) listener();
    await this.#waitFor(previous);
    return {
      ok: true,
      value: () => {
        if (this.#stop === stop) this.#stop = undefined;
      },
    };
  }

  /** Stops the current use, so that a talk can begin; resolves when all devices are closed. */
  async preempt(): Promise<void> {
    const previous = this.#stop;
    this.#stop = undefined;
    for (const listener of this.#takenListeners) listener();
    await this.#waitFor(previous);
  }

  /**
   * Waits for all earlier uses, not only the last: an earlier use may still be closing even if the last never opened its devices.
   */
  async #waitFor(stop: Stop | undefined): Promise<void> {
    // A failure of an earlier use was reported to the caller that stopped it.
    const earlier = this.#allStopped.catch(() => undefined);
    this.#allStopped = Promise.all([earlier, stop?.()]);
    await this.#allStopped;
  }
}

interface DeviceLeaseDeps<Resource> {
  readonly lock: DeviceLock;
  readonly close: (resource: Resource) => Promise<void>;
  readonly onPreempted: () => void;
}

/** Lets pages use the sound devices for one purpose, such as a recording, a meter or a preview: one use at a time. */
export class DeviceLease<Resource> {
  readonly #deps: DeviceLeaseDeps<Resource>;
  #lease: Lease<Resource> | undefined;

  constructor(deps: DeviceLeaseDeps<Resource>) {
    this.#deps = deps;
  }

  /** Begins a use. It ends when the page closes, when the next use begins, or when other code takes the devices. */
  async begin(
    page: Pick<Page, 'whenGone'>,
    open: () => Promise<Outcome<Resource>>,
  ): Promise<Outcome<undefined>> {
    const begun = await this.#begin(page, open);
    return begun.ok ? { ok: true, value: undefined } : begun;
  }

  /** Opens the resource, runs the work on it and closes it. Fails if another use takes the devices meanwhile. */
  async run<Result>(
    page: Pick<Page, 'whenGone'>,
    open: () => Promise<Outcome<Resource>>,
    work: (resource: Resource) => Promise<Result>,
  ): Promise<Outcome<Result>> {
    const begun = await this.#begin(page, open);
    if (!begun.ok) return begun;
    const { lease, resource } = begun.value;
    try {
      const result = await work(resource);
      return lease.isOver ? failure('testStopped') : { ok: true, value: result };
    } finally {
      await lease.close();
    }
  }

  async #begin(
    page: Pick<Page, 'whenGone'>,
    open: () => Promise<Outcome<Resource>>,
  ): Promise<Outcome<Begun<Resource>>> {
    const previous = this.#lease;
    const use = new Lease<Resource>(this.#deps.close);
    this.#lease = use;
    await previous?.close();
    // A newer use began meanwhile and has the devices. Taking them would end that use.
    if (use.isOver) return preempted;
    const taken = await this.#deps.lock.acquire(async () => {
      if (!use.isOver) this.#deps.onPreempted();
      await use.close();
    });
    if (!taken.ok) {
      await use.close();
      return taken;
    }
    use.onEnd(taken.value);
    use.onEnd(page.whenGone(() => void use.close()));
    const opened = await use.open(open);
    return opened.ok ? { ok: true, value: { lease: use, resource: opened.value } } : opened;
  }

  /** Calls the function with the resource of the current use, if there is one, and then releases the devices. */
  async finish<Result>(
    finish: (resource: Resource) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.#lease?.finish(finish);
  }

  async cancel(): Promise<void> {
    await this.#lease?.close();
  }

  /** Releases the devices of a use that has completed, unless a newer one has begun. */
  release(resource: Resource): void {
    if (this.#lease?.resource === resource) void this.#lease.finish(() => Promise.resolve());
  }
}

interface Begun<Resource> {
  readonly lease: Lease<Resource>;
  readonly resource: Resource;
}

class Lease<Resource> {
  readonly #close: (resource: Resource) => Promise<void>;
  readonly #endListeners: (() => void)[] = [];
  #opening: Promise<Outcome<Resource>> | undefined;
  #closing: Promise<void> | undefined;
  isOver = false;
  resource: Resource | undefined;

  constructor(close: (resource: Resource) => Promise<void>) {
    this.#close = close;
  }

  onEnd(run: () => void): void {
    if (this.isOver) run();
    else this.#endListeners.push(run);
  }

  async open(open: () => Promise<Outcome<Resource>>): Promise<Outcome<Resource>> {
    if (this.isOver) return preempted;
    this.#opening = open();
    const opened = await this.#opening;
    if (!opened.ok) {
      await this.close();
      return opened;
    }
    this.resource = opened.value;
    return this.#closing === undefined ? opened : preempted;
  }

  /** Runs `finish` and then gives the devices back. Does nothing after the first call. */
  finish<Result>(finish: (resource: Resource) => Promise<Result>): Promise<Result | undefined> {
    if (this.isOver) return Promise.resolve(undefined);
    this.isOver = true;
    const finishing = this.#finish(finish);
    // The caller receives the failure. Waiting uses get the devices either way.
    this.#closing = finishing.then(
      () => undefined,
      () => undefined,
    );
    return finishing;
  }

  close(): Promise<void> {
    if (!this.isOver) this.#closing = this.finish(this.#close).then(() => undefined);
    return this.#closing ?? Promise.resolve();
  }

  async #finish<Result>(
    finish: (resource: Resource) => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      const opened = await this.#opening;
      return opened?.ok === true ? await finish(opened.value) : undefined;
    } finally {
      for (const run of this.#endListeners.splice(0)) run();
    }
  }
}

const preempted = failure('soundNeededElsewhere');
