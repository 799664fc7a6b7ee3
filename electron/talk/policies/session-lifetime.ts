import type { AppError, ErrorCode } from '../../../shared/errors/app-error.ts';
import { rootError } from '../../../shared/errors/session-reasons.ts';

/** A server that lets nobody speak for so long has another reason than the one it gives. */
const minLifetimeMs = 10_000;

/** Ends without a word about a limit. Two in a row at the same age have one all the same, the server's or of something before it. */
const wordless: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'connectionLost',
  'closedSilently',
  'serverFailed',
]);
const sameAgeMs = 2000;

/** How long this server really lets a session live, as far as it has shown in this conversation. */
export class SessionLifetime {
  #liveSince: number | undefined;
  #answered = false;
  #shownSeconds = Infinity;
  /** How old the last session was that ended without a word. */
  #cutAfterMs: number | undefined;

  live(now: number): void {
    this.#liveSince = now;
    this.#answered = false;
  }

  /** Something of an answer has come: somebody talks here. */
  answered(): void {
    this.#answered = true;
  }

  /**
   * Whether a limit was reached after which another session may follow at once. A talk that was left open, in which nothing
   * is said any more, ends with its session: nobody's microphone stays on for hours.
   */
  ended(error: AppError, now: number): boolean {
    const livedMs = now - (this.#liveSince ?? now);
    this.#liveSince = undefined;
    const { code } = rootError(error);
    if (livedMs < minLifetimeMs) return false;
    if (code === 'timeLimitReached') this.#show(livedMs);
    else if (wordless.has(code)) this.#cut(livedMs);
    return this.#answered && (code === 'timeLimitReached' || code === 'memoryFull');
  }

  #cut(livedMs: number): void {
    const before = this.#cutAfterMs;
    this.#cutAfterMs = livedMs;
    if (before === undefined || Math.abs(livedMs - before) > sameAgeMs) return;
    this.#show(Math.min(livedMs, before));
  }

  #show(livedMs: number): void {
    this.#shownSeconds = Math.min(this.#shownSeconds, Math.floor(livedMs / 1000));
  }

  /** The seconds to go by: what is known of the server otherwise, or less. */
  limit(known: number | undefined): number | undefined {
    if (this.#shownSeconds === Infinity) return known;
    return Math.min(known ?? Infinity, this.#shownSeconds);
  }
}

/** The server's word that time is up needs a moment to arrive. */
const graceMs = 5_000;

/**
 * How long the session may still last. The documents count from connecting, deployed gateways from
 * the admission. The safer of the two is believed, the earlier end; a session that outlives it has
 * shown that its server counts from the admission, and one that outlives that too, that nobody
 * counts here.
 */
export class SessionClock {
  readonly #limitMs: number | undefined;
  #connectedAt: number | undefined;
  #admittedAt: number | undefined;
  /** Time that passed while the clock stood still. */
  #sleptMs = 0;

  constructor(limitSeconds: number | undefined) {
    this.#limitMs = limitSeconds === undefined ? undefined : limitSeconds * 1000;
  }

  /** A connection of its own for every try: what another one waited is not counted on this one. */
  connecting(at: number): void {
    this.#connectedAt = at;
    this.#admittedAt = undefined;
  }

  admitted(at: number): void {
    this.#connectedAt ??= at;
    this.#admittedAt ??= at;
  }

  slept(ms: number): void {
    this.#sleptMs += Math.max(0, ms);
  }

  left(now: number): { readonly seconds: number | undefined; readonly reading: LimitReading } {
    const limit = this.#limitMs;
    if (limit === undefined || this.#admittedAt === undefined || this.#connectedAt === undefined)
      return { seconds: undefined, reading: 'connecting' };
    const over = now + this.#sleptMs - limit;
    if (over < this.#connectedAt + graceMs)
      return { seconds: Math.max(0, this.#connectedAt - over) / 1000, reading: 'connecting' };
    if (over < this.#admittedAt + graceMs)
      return { seconds: Math.max(0, this.#admittedAt - over) / 1000, reading: 'admission' };
    return { seconds: undefined, reading: 'none' };
  }

  /** Until the present reading is disproved; nothing where none stands. */
  disprovedInMs(now: number): number | undefined {
    const { seconds, reading } = this.left(now);
    const from = reading === 'connecting' ? this.#connectedAt : this.#admittedAt;
    if (seconds === undefined || from === undefined || this.#limitMs === undefined)
      return undefined;
    return from + this.#limitMs + graceMs - (now + this.#sleptMs);
  }
}

/** From where the server is taken to count. */
export type LimitReading = 'connecting' | 'admission' | 'none';
