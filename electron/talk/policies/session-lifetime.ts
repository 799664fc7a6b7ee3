import type { AppError, ErrorCode } from '../../../shared/errors/app-error.ts';
import { rootError } from '../../../shared/errors/session-reasons.ts';

/** A session this short ended for a reason other than its limit. */
const minLifetimeMs = 10_000;

/** Ends without a reason. Two in a row after the same time reveal a limit of the server or of a proxy. */
const unexplained: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'connectionLost',
  'closedSilently',
  'serverFailed',
]);
const sameAgeMs = 2000;

/** Observes how long sessions live, to learn a time limit that the server does not document. */
export class SessionLifetime {
  #liveSince: number | undefined;
  #answered = false;
  #observedSeconds = Infinity;
  /** Lifetime of the last session that ended without a reason. */
  #unexplainedAfterMs: number | undefined;

  onLive(now: number): void {
    this.#liveSince = now;
    this.#answered = false;
  }

  onAnswer(): void {
    this.#answered = true;
  }

  /**
   * Returns whether a limit ended the session and another one may follow. After a session without
   * answers none may, so that no forgotten microphone stays open.
   */
  onEnd(error: AppError, now: number): boolean {
    const livedMs = now - (this.#liveSince ?? now);
    this.#liveSince = undefined;
    const { code } = rootError(error);
    if (livedMs < minLifetimeMs) return false;
    if (code === 'timeLimitReached') this.#observe(livedMs);
    else if (unexplained.has(code)) this.#onUnexplainedEnd(livedMs);
    return this.#answered && (code === 'timeLimitReached' || code === 'memoryFull');
  }

  #onUnexplainedEnd(livedMs: number): void {
    const before = this.#unexplainedAfterMs;
    this.#unexplainedAfterMs = livedMs;
    if (before === undefined || Math.abs(livedMs - before) > sameAgeMs) return;
    this.#observe(Math.min(livedMs, before));
  }

  #observe(livedMs: number): void {
    this.#observedSeconds = Math.min(this.#observedSeconds, Math.floor(livedMs / 1000));
  }

  /** The lower of the known limit and the observed one. */
  limit(known: number | undefined): number | undefined {
    if (this.#observedSeconds === Infinity) return known;
    return Math.min(known ?? Infinity, this.#observedSeconds);
  }
}

/** Time for the server's message about the limit to arrive. */
const graceMs = 5_000;

/**
 * Remaining time of a session. Counts from connecting; if the session outlives that limit, as on
 * deployed gateways, counts from admission.
 */
export class SessionClock {
  readonly #limitMs: number | undefined;
  #connectedAt: number | undefined;
  #admittedAt: number | undefined;
  /** Sleep that the monotonic clock did not count. */
  #sleptMs = 0;

  constructor(limitSeconds: number | undefined) {
    this.#limitMs = limitSeconds === undefined ? undefined : limitSeconds * 1000;
  }

  /** Every attempt has a new connection, so earlier waits do not count. */
  onConnecting(at: number): void {
    this.#connectedAt = at;
    this.#admittedAt = undefined;
  }

  onAdmitted(at: number): void {
    this.#connectedAt ??= at;
    this.#admittedAt ??= at;
  }

  onSleep(ms: number): void {
    this.#sleptMs += Math.max(0, ms);
  }

  remaining(now: number): { readonly seconds: number | undefined; readonly reading: LimitReading } {
    const limit = this.#limitMs;
    if (limit === undefined || this.#admittedAt === undefined || this.#connectedAt === undefined)
      return { seconds: undefined, reading: 'connecting' };
    const latestStart = now + this.#sleptMs - limit;
    if (latestStart < this.#connectedAt + graceMs)
      return {
        seconds: Math.max(0, this.#connectedAt - latestStart) / 1000,
        reading: 'connecting',
      };
    if (latestStart < this.#admittedAt + graceMs)
      return { seconds: Math.max(0, this.#admittedAt - latestStart) / 1000, reading: 'admission' };
    return { seconds: undefined, reading: 'none' };
  }

  /** Milliseconds until the current reading is disproved; undefined without a limit. */
  disprovedInMs(now: number): number | undefined {
    const { seconds, reading } = this.remaining(now);
    const from = reading === 'connecting' ? this.#connectedAt : this.#admittedAt;
    if (seconds === undefined || from === undefined || this.#limitMs === undefined)
      return undefined;
    return from + this.#limitMs + graceMs - (now + this.#sleptMs);
  }
}

/** From which event the server is believed to count; `none` if the session outlived both. */
export type LimitReading = 'connecting' | 'admission' | 'none';
