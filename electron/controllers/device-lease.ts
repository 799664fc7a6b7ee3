import { failure } from '../../shared/errors/app-error.ts';
import type { Page } from '../../shared/ipc/page.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { DeviceLock } from './device-lock.ts';

interface Deps<Thing> {
  readonly lock: DeviceLock;
  readonly close: (thing: Thing) => Promise<void>;
  /** Somebody else has taken the devices. */
  readonly stopped: () => void;
}

/** Something that a page begins with the sound devices: a recording, a meter, a preview. */
export class DeviceLease<Thing> {
  readonly #deps: Deps<Thing>;
  #lease: Lease<Thing> | undefined;

  constructor(deps: Deps<Thing>) {
    this.#deps = deps;
  }

  /** It ends when its page goes away, when it is begun anew, or when something else needs the devices. */
  async begin(page: Page, open: () => Promise<Outcome<Thing>>): Promise<Outcome<undefined>> {
    const before = this.#lease;
    const use = new Lease<Thing>(this.#deps.close);
    this.#lease = use;
    await before?.close();
    const taken = await this.#deps.lock.acquire(async () => {
      if (!use.over) this.#deps.stopped();
      await use.close();
    });
    if (!taken.ok) {
      await use.close();
      return taken;
    }
    use.atEnd(taken.value);
    use.atEnd(page.whenGone(() => void use.close()));
    return use.open(open);
  }

  /** Hands over what was begun, if anything was; closing it is the caller's. */
  take(): Promise<Thing | undefined> {
    return this.#lease?.end() ?? Promise.resolve(undefined);
  }

  async cancel(): Promise<void> {
    await this.#lease?.close();
  }

  /** It has ended by itself; what has been begun since then goes on. */
  ended(thing: Thing): void {
    if (this.#lease?.thing === thing) void this.#lease.end();
  }
}

class Lease<Thing> {
  readonly #close: (thing: Thing) => Promise<void>;
  readonly #atEnd: (() => void)[] = [];
  #opening: Promise<Outcome<Thing>> | undefined;
  #closing: Promise<void> | undefined;
  over = false;
  thing: Thing | undefined;

  constructor(close: (thing: Thing) => Promise<void>) {
    this.#close = close;
  }

  atEnd(run: () => void): void {
    if (this.over) run();
    else this.#atEnd.push(run);
  }

  async open(open: () => Promise<Outcome<Thing>>): Promise<Outcome<undefined>> {
    if (this.over) return preempted;
    this.#opening = open();
    const opened = await this.#opening;
    if (!opened.ok) {
      await this.end();
      return opened;
    }
    this.thing = opened.value;
    return this.#closing === undefined ? { ok: true, value: undefined } : preempted;
  }

  async end(): Promise<Thing | undefined> {
    if (this.over) return undefined;
    this.over = true;
    for (const run of this.#atEnd.splice(0)) run();
    const opened = await this.#opening;
    return opened?.ok === true ? opened.value : undefined;
  }

  /** Resolves when it is closed, also for who asks a second time. */
  close(): Promise<void> {
    this.#closing ??= this.#closeIt();
    return this.#closing;
  }

  async #closeIt(): Promise<void> {
    const thing = await this.end();
    if (thing !== undefined) await this.#close(thing);
  }
}

const preempted = failure('soundNeededElsewhere');
