import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Page } from '../../../shared/ipc/page.ts';

type Stop = () => Promise<void>;

/** A lock on the sound devices: one holder at a time outside a talk, none during a talk. */
export class DeviceLock {
  #talk: { readonly isActive: boolean } = { isActive: false };
  readonly #silence: (() => void)[] = [];
  #stop: Stop | undefined;
  /** Resolves when every earlier use has closed its devices. */
  #allStopped: Promise<unknown> = Promise.resolve();

  setTalk(talk: { readonly isActive: boolean }): void {
    this.#talk = talk;
  }

  /** Registers a callback for each time the devices are taken, because other playback would end up in a recording. */
  onTaken(silence: () => void): void {
    this.#silence.push(silence);
  }

  get isFree(): boolean {
    return this.#stop === undefined && !this.#talk.isActive;
  }

  /** Stops the current use and takes the devices; call the returned function to give them back. */
  async acquire(stop: Stop): Promise<Outcome<() => void>> {
    if (this.#talk.isActive) return failure('talkHasSound');
    const before = this.#stop;
    this.#stop = stop;
    for (const silence of this.#silence) silence();
    await this.#waitFor(before);
    return {
      ok: true,
      value: () => {
        if (this.#stop === stop) this.#stop = undefined;
      },
    };
  }

  /** Ends every use for a talk; resolves when the devices are closed. */
  async preempt(): Promise<void> {
    const before = this.#stop;
    this.#stop = undefined;
    for (const silence of this.#silence) silence();
    await this.#waitFor(before);
  }

  /** Also waits for earlier uses: one may still be closing although the use after it never opened. */
  async #waitFor(stop: Stop | undefined): Promise<void> {
    // The caller that stopped the earlier use got its failure.
    const earlier = this.#allStopped.catch(() => undefined);
    this.#allStopped = Promise.all([earlier, stop?.()]);
    await this.#allStopped;
  }
}

interface DeviceLeaseDeps<Thing> {
  readonly lock: DeviceLock;
  readonly close: (thing: Thing) => Promise<void>;
  readonly onPreempted: () => void;
}

/** One use of the sound devices by a page: a recording, a meter or a preview. */
export class DeviceLease<Thing> {
  readonly #deps: DeviceLeaseDeps<Thing>;
  #lease: Lease<Thing> | undefined;

  constructor(deps: DeviceLeaseDeps<Thing>) {
    this.#deps = deps;
  }

  /** The use ends when the page closes, when it begins again, or when another use takes the devices. */
  async begin(
    page: Pick<Page, 'whenGone'>,
    open: () => Promise<Outcome<Thing>>,
  ): Promise<Outcome<undefined>> {
    const begun = await this.#begin(page, open);
    return begun.ok ? { ok: true, value: undefined } : begun;
  }

  /** Opens the thing, runs the work on it, and closes it. It fails if another use takes the devices meanwhile. */
  async run<Result>(
    page: Pick<Page, 'whenGone'>,
    open: () => Promise<Outcome<Thing>>,
    work: (thing: Thing) => Promise<Result>,
  ): Promise<Outcome<Result>> {
    const begun = await this.#begin(page, open);
    if (!begun.ok) return begun;
    const { lease, thing } = begun.value;
    const result = await work(thing);
    if (lease.isOver) return failure('testStopped');
    await lease.close();
    return { ok: true, value: result };
  }

  async #begin(
    page: Pick<Page, 'whenGone'>,
    open: () => Promise<Outcome<Thing>>,
  ): Promise<Outcome<Begun<Thing>>> {
    const before = this.#lease;
    const use = new Lease<Thing>(this.#deps.close);
    this.#lease = use;
    await before?.close();
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
    return opened.ok ? { ok: true, value: { lease: use, thing: opened.value } } : opened;
  }

  /** Finishes the current use, if any, with the caller's function. The devices are released afterwards. */
  async finish<Result>(finish: (thing: Thing) => Promise<Result>): Promise<Result | undefined> {
    return this.#lease?.finish(finish);
  }

  async cancel(): Promise<void> {
    await this.#lease?.close();
  }

  /** Releases the devices of a use that has completed, unless a newer one has begun. */
  release(thing: Thing): void {
    if (this.#lease?.thing === thing) void this.#lease.finish(() => Promise.resolve());
  }
}

interface Begun<Thing> {
  readonly lease: Lease<Thing>;
  readonly thing: Thing;
}

class Lease<Thing> {
  readonly #close: (thing: Thing) => Promise<void>;
  readonly #atEnd: (() => void)[] = [];
  #opening: Promise<Outcome<Thing>> | undefined;
  #closing: Promise<void> | undefined;
  isOver = false;
  thing: Thing | undefined;

  constructor(close: (thing: Thing) => Promise<void>) {
    this.#close = close;
  }

  onEnd(run: () => void): void {
    if (this.isOver) run();
    else this.#atEnd.push(run);
  }

  async open(open: () => Promise<Outcome<Thing>>): Promise<Outcome<Thing>> {
    if (this.isOver) return preempted;
    this.#opening = open();
    const opened = await this.#opening;
    if (!opened.ok) {
      await this.close();
      return opened;
    }
    this.thing = opened.value;
    return this.#closing === undefined ? opened : preempted;
  }

  /** Runs `how` and then gives the devices back. Does nothing after the first call. */
  finish<Result>(how: (thing: Thing) => Promise<Result>): Promise<Result | undefined> {
    if (this.isOver) return Promise.resolve(undefined);
    this.isOver = true;
    const finishing = this.#finish(how);
    // The failure goes to the caller. Waiting uses get the devices either way.
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

  async #finish<Result>(how: (thing: Thing) => Promise<Result>): Promise<Result | undefined> {
    try {
      const opened = await this.#opening;
      return opened?.ok === true ? await how(opened.value) : undefined;
    } finally {
      for (const run of this.#atEnd.splice(0)) run();
    }
  }
}

const preempted = failure('soundNeededElsewhere');
