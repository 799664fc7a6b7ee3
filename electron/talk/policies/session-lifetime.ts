import { type AppError, type ErrorCode, rootError } from '../../../shared/errors/app-error.ts';

/** A session this short ended for a reason other than its limit. */
const minLifetimeMs = 10_000;

/** Ends without a reason. If two such ends in a row come at the same age, the server or a proxy has a limit. */
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
  /** Lifetime of the last session, if it ended without a reason. */
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
    if (unexplained.has(code)) this.#onUnexplainedEnd(livedMs);
    else this.#unexplainedAfterMs = undefined;
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
