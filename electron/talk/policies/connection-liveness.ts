import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import type { SessionEvent } from '../session/session-event.ts';

interface Deps {
  readonly clock: Clock;
  readonly changed: (quiet: boolean) => void;
}

/** Silence after which the user is informed. */
const quietMs = 3000;
/** Longest gap between answers that counts as regular; slow servers need two seconds per step. */
const regularMs = 2500;
const minRegular = 3;
/** A server that recovered from silence needs this many times more regular answers before silence counts again. */
const regularFactor = 20;

/** Notices silence of a server that answered every append so far. Only pings decide that a connection is dead. */
export class QuietServerDetector {
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

  /** Call with any event from the server. */
  heard(): void {
    const now = this.#deps.clock.now();
    const gap = now - (this.#heardAt ?? now);
    this.#heardAt = now;
    if (this.#quiet) this.#neededRegular = minRegular * regularFactor;
    this.#regular = gap <= regularMs ? this.#regular + 1 : 0;
    this.#timer.stop();
    this.#setQuiet(false);
  }

  /** Call with every append, which the server should answer. */
  sent(): void {
    const { clock } = this.#deps;
    if (this.#heardAt === undefined || this.#regular < this.#neededRegular || this.#quiet) return;
    const sinceWord = clock.now() - this.#heardAt;
    // After a pause without appends, the wait starts now.
    const waitMs = sinceWord <= regularMs ? quietMs - sinceWord : quietMs;
    this.#timer.setIfIdle(waitMs, () => this.#setQuiet(true));
  }

  /** Call when the connection is replaced or closed. */
  stop(): void {
    this.#timer.stop();
    this.#heardAt = undefined;
    this.#regular = 0;
    this.#neededRegular = minRegular;
    this.#setQuiet(false);
  }

  #setQuiet(quiet: boolean): void {
    if (quiet === this.#quiet) return;
    this.#quiet = quiet;
    this.#deps.changed(quiet);
  }
}

export function isFromServer({ event }: SessionEvent): boolean {
  return event !== 'state' && event !== 'sent' && event !== 'dropped' && event !== 'closed';
}

export interface SleepDetectorOptions {
  readonly clock: Clock;
  /** Calendar clock in milliseconds; it runs while the machine sleeps, and users can set it. */
  readonly wallNow: () => number;
  /** The connection is taken for dead: reconnect now. The monotonic clock missed `sleptMs`. */
  readonly onConnectionDead: (sleptMs: number) => void;
}

/** Longest gap between polls without sleep; polls come many times a second. */
const gapMs = 10_000;
/** Time synchronization corrects clocks by less than this at once. */
const drift = 2_000;
/** Data that arrives this soon after waking was buffered in the kernel. */
const staleMs = 500;
/**
 * Time for the server to answer: two slow steps, and several lost answers of the C++ server. Pings
 * take nine seconds.
 */
const probationMs = 8_000;
/** Systems may report one waking several times within this time. */
const debounceMs = 5_000;

/**
 * Detects sleep. A reported sleep kills the connection; if only the clocks disagree, the server
 * gets time to answer.
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

  /** Cheap; call with every block of the microphone. */
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

  heardServer(): void {
    if (this.#suspectedAt === undefined) return;
    if (this.#options.clock.now() - this.#suspectedAt < staleMs) return;
    this.#clear();
  }

  /** Call when the system reports waking. */
  onSystemWake(): void {
    this.poll();
    if (this.#options.clock.now() - this.#decidedAt >= debounceMs) this.#decide();
    else this.#clear();
  }

  /** Call when the connection is replaced or closed. */
  stop(): void {
    this.#clear();
    this.#seen = undefined;
  }

  #suspect(at: number): void {
    if (this.#suspectedAt !== undefined || at - this.#decidedAt < debounceMs) return;
    this.#suspectedAt = at;
    this.#timer.set(probationMs, () => this.#decide());
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
