import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import type { SessionEvent } from '../session/session-event.ts';

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
  readonly #timer: Timer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
  }

  /** The server said anything at all. */
  heard(): void {
    const now = this.#deps.clock.now();
    const gap = now - (this.#heardAt ?? now);
    this.#heardAt = now;
    if (this.#quiet) this.#neededRegular = minRegular * moreRegular;
    this.#regular = gap <= regularMs ? this.#regular + 1 : 0;
    this.#timer.stop();
    this.#become(false);
  }

  /** An append went out, which is to be answered. */
  sent(): void {
    const { clock } = this.#deps;
    if (this.#heardAt === undefined || this.#regular < this.#neededRegular || this.#quiet) return;
    const sinceWord = clock.now() - this.#heardAt;
    // After a pause in which nothing was asked its answer is awaited from now on.
    const waitMs = sinceWord <= regularMs ? quietMs - sinceWord : quietMs;
    this.#timer.setOnce(waitMs, () => this.#become(true));
  }

  /** Another connection, or none. */
  stop(): void {
    this.#timer.stop();
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

/** Both clocks, and what is called when the machine slept. */
export interface SleepDetectorOptions {
  readonly clock: Clock;
  /** Milliseconds of the calendar's time; it goes on while the machine sleeps, and can be set by hand. */
  readonly wallNow: () => number;
  /** The connection is taken for dead: reconnect now. `sleptMs` of it the monotonic clock knows nothing. */
  readonly onConnectionDead: (sleptMs: number) => void;
}

/** It is polled many times a second; who was away for so long did not only stutter. */
const gapMs = 10_000;
/** Clocks are disciplined by less than this at a time. */
const drift = 2_000;
/** What arrives right after waking was sent before and waited in the kernel. */
const staleMs = 500;
/**
 * A chunk has to be filled again, a slow server needs two seconds for each of two steps, and the C++ server may lose
 * several answers in a row. A line that is really dead is noticed after nine seconds anyway.
 */
const proveMs = 8_000;
/** Systems report a waking more than once. */
const onceMs = 5_000;

/**
 * Notices that the machine slept. Where the system says so, the connection is dead at once. Where only the
 * clocks say so, somebody may have set one of them: then the server has a moment to prove itself.
 */
export class SleepDetector {
  readonly #options: SleepDetectorOptions;
  #seen: { readonly mono: number; readonly wall: number } | undefined;
  #suspectedAt: number | undefined;
  #sleptMs = 0;
  #decidedAt = -Infinity;
  readonly #timer: Timer;

  constructor(options: SleepDetectorOptions) {
    this.#options = options;
    this.#timer = new Timer(options.clock);
  }

  /** Cheap; with every block of the microphone, or as often. */
  poll(): void {
    const mono = this.#options.clock.now();
    const wall = this.#options.wallNow();
    const seen = this.#seen;
    this.#seen = { mono, wall };
    if (seen === undefined) return;
    const unknownMs = wall - seen.wall - (mono - seen.mono);
    if (unknownMs < drift && mono - seen.mono < gapMs) return;
    this.#sleptMs += Math.max(0, unknownMs);
    this.#suspect(mono);
  }

  /** Anything the server said. */
  heardServer(): void {
    if (this.#suspectedAt === undefined) return;
    if (this.#options.clock.now() - this.#suspectedAt < staleMs) return;
    this.#clear();
  }

  /** The system itself reports a waking. */
  onSystemWake(): void {
    this.poll();
    if (this.#options.clock.now() - this.#decidedAt >= onceMs) this.#decide();
    else this.#clear();
  }

  /** A new connection, or none: what was suspected was about the one before. */
  stop(): void {
    this.#clear();
    this.#seen = undefined;
  }

  #suspect(at: number): void {
    if (this.#suspectedAt !== undefined || at - this.#decidedAt < onceMs) return;
    this.#suspectedAt = at;
    this.#timer.set(proveMs, () => this.#decide());
  }

  #decide(): void {
    const sleptMs = this.#sleptMs;
    this.#clear();
    this.#decidedAt = this.#options.clock.now();
    this.#options.onConnectionDead(sleptMs);
  }

  #clear(): void {
    this.#timer.stop();
    this.#suspectedAt = undefined;
    this.#sleptMs = 0;
  }
}
