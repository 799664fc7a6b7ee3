import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import type { SessionEvent } from '../session/session-event.ts';

interface Deps {
  readonly clock: Clock;
  readonly onChange: (quiet: boolean) => void;
}

/** Silence after which the user is informed. */
const quietMs = 3000;
/** Longest gap between answers that counts as regular; slow servers need two seconds per step. */
const maxRegularGapMs = 2500;
const minRegularAnswers = 3;
/** After a silence, this many times the usual number of regular answers is needed before silence counts again. */
const requiredFactor = 20;

/** Notices that a server which answered regularly falls silent. The connection stays open: pings detect a dead one. */
export class QuietServerDetector {
  readonly #deps: Deps;
  #heardAt: number | undefined;
  #regularAnswers = 0;
  #requiredAnswers = minRegularAnswers;
  #quiet = false;
  readonly #timer: Timer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
  }

  /** Call with any event from the server. */
  onServerEvent(): void {
    const now = this.#deps.clock.now();
    const gap = now - (this.#heardAt ?? now);
    this.#heardAt = now;
    if (this.#quiet) this.#requiredAnswers = minRegularAnswers * requiredFactor;
    this.#regularAnswers = gap <= maxRegularGapMs ? this.#regularAnswers + 1 : 0;
    this.#timer.stop();
    this.#setQuiet(false);
  }

  /** Call with every append, which the server should answer. */
  onAppend(): void {
    const { clock } = this.#deps;
    if (this.#heardAt === undefined || this.#regularAnswers < this.#requiredAnswers || this.#quiet)
      return;
    const sinceEventMs = clock.now() - this.#heardAt;
    // After a pause without appends, the wait starts now.
    const waitMs = sinceEventMs <= maxRegularGapMs ? quietMs - sinceEventMs : quietMs;
    this.#timer.setIfIdle(waitMs, () => this.#setQuiet(true));
  }

  /** Call when the connection is replaced or closed. */
  stop(): void {
    this.#timer.stop();
    this.#heardAt = undefined;
    this.#regularAnswers = 0;
    this.#requiredAnswers = minRegularAnswers;
    this.#setQuiet(false);
  }

  #setQuiet(quiet: boolean): void {
    if (quiet === this.#quiet) return;
    this.#quiet = quiet;
    this.#deps.onChange(quiet);
  }
}

export function isFromServer({ event }: SessionEvent): boolean {
  return event !== 'state' && event !== 'sent' && event !== 'dropped' && event !== 'closed';
}

export interface SleepDetectorOptions {
  readonly clock: Clock;
  /** Calendar clock in milliseconds; it runs while the machine sleeps, and users can set it. */
  readonly wallNow: () => number;
  /** The connection counts as dead. The monotonic clock did not count `sleptMs` of the sleep. */
  readonly onConnectionDead: (sleptMs: number) => void;
}

/** A longer gap between polls means sleep, because polls come many times a second. */
const gapMs = 10_000;
/** A larger difference between the clocks means sleep; time synchronization corrects them by less at once. */
const maxDriftMs = 2_000;
/** Data that arrives this soon after waking was buffered in the kernel. */
const staleMs = 500;
/**
 * Time for the server to answer, long enough for two slow steps, or for several lost answers of the
 * C++ server. Pings would take nine seconds to detect a dead connection.
 */
const probationMs = 8_000;
/** Systems may report one waking several times within this time. */
const debounceMs = 5_000;

/**
 * Detects that the machine slept. After a sleep that the system reports, the connection counts as
 * dead; if only the clocks disagree, the server first gets time to answer.
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
    if (unknownMs < maxDriftMs && mono - seen.mono < gapMs) return;
    this.#sleptMs += Math.max(0, unknownMs);
    this.#suspect(mono);
  }

  onServerEvent(): void {
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
