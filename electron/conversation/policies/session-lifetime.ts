import type { AppError } from '../../../shared/errors/app-error.ts';
import { rootError } from '../../../shared/errors/session-reasons.ts';

/** A server that lets nobody speak for so long has another reason than the one it gives. */
const minLifetimeMs = 10_000;

/** How long this server really lets a session live, as far as it has shown in this conversation. */
export class SessionLifetime {
  #liveSince: number | undefined;
  #shownSeconds = Infinity;

  live(now: number): void {
    this.#liveSince = now;
  }

  /** Whether a limit was reached after which another session may follow at once. */
  ended(error: AppError, now: number): boolean {
    const livedMs = now - (this.#liveSince ?? now);
    this.#liveSince = undefined;
    const { code } = rootError(error);
    if (livedMs < minLifetimeMs) return false;
    if (code === 'timeLimitReached')
      this.#shownSeconds = Math.min(this.#shownSeconds, Math.floor(livedMs / 1000));
    return code === 'timeLimitReached' || code === 'memoryFull';
  }

  /** The seconds to go by: what is known of the server otherwise, or less. */
  limit(known: number | undefined): number | undefined {
    if (this.#shownSeconds === Infinity) return known;
    return Math.min(known ?? Infinity, this.#shownSeconds);
  }
}
