import type { Clock } from '../../ports/clock.ts';
import type { SessionEvent } from '../../session/session-event.ts';

interface Deps {
  readonly clock: Clock;
  readonly changed: (quiet: boolean) => void;
}

/** So long without a word is said to the person. */
const quietMs = 3000;
/** Slow servers take two seconds for a step. */
const regularMs = 2500;
const minRegular = 3;
/** A server that was silent and went on loses answers: it has to answer so many times more before silence means anything. */
const moreRegular = 20;

/**
 * Notices that a server has fallen silent which has answered every append so far. One that speaks when it likes is never
 * taken for silent, and none is taken for dead here: that is for pings to say.
 */
export class QuietLine {
  readonly #deps: Deps;
  #heardAt: number | undefined;
  #regular = 0;
  #neededRegular = minRegular;
  #quiet = false;
  #cancel: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The server said anything at all. */
  heard(): void {
    const now = this.#deps.clock.now();
    const gap = now - (this.#heardAt ?? now);
    this.#heardAt = now;
    if (this.#quiet) this.#neededRegular = minRegular * moreRegular;
    this.#regular = gap <= regularMs ? this.#regular + 1 : 0;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#become(false);
  }

  /** An append went out, which is to be answered. */
  sent(): void {
    const { clock } = this.#deps;
    if (this.#heardAt === undefined || this.#regular < this.#neededRegular || this.#quiet) return;
    const sinceWord = clock.now() - this.#heardAt;
    // After a pause in which nothing was asked its answer is awaited from now on.
    const waitMs = sinceWord <= regularMs ? quietMs - sinceWord : quietMs;
    this.#cancel ??= clock.after(waitMs, () => {
      this.#become(true);
    });
  }

  /** Another connection, or none. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#heardAt = undefined;
    this.#regular = 0;
    this.#neededRegular = minRegular;
    this.#become(false);
  }

  #become(quiet: boolean): void {
    if (quiet === this.#quiet) return;
    this.#quiet = quiet;
    this.#deps.changed(quiet);
  }
}

/** Something that the server said, whatever it was. */
export function isFromServer({ event }: SessionEvent): boolean {
  return event !== 'state' && event !== 'sent' && event !== 'dropped' && event !== 'closed';
}
