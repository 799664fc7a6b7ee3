import type { AppError } from '../../../shared/errors/app-error.ts';
import type { ErrorCode } from '../../../shared/errors/error-codes.ts';
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
