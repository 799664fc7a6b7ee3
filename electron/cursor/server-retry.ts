import type { ServerWait } from '../../shared/cursor/quick-view.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import { failureVerdict } from '../talk/user-transcript/failure-verdict.ts';

/** The pauses between tries; the last one repeats. */
const pausesMs = [2000, 4000, 8000, 15_000] as const;
/** Parley stops waiting after this long, because the user may have forgotten the question. */
const maxWaitMs = 10 * 60_000;

interface Deps {
  readonly clock: Clock;
  readonly onRetry: () => void;
  readonly onChanged: (wait: ServerWait) => void;
}

/** Offers to wait when a server is busy, and then asks again until it is free. */
export class ServerRetry {
  readonly #deps: Deps;
  readonly #timer: Timer;
  #state: ServerWait = 'none';
  #tries = 0;
  #endsAt = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
  }

  begin(): void {
    if (this.#state !== 'offered') return;
    this.#tries = 0;
    this.#endsAt = this.#deps.clock.now() + maxWaitMs;
    this.#enter('waiting');
    this.#scheduleRetry();
  }

  /** Ends the wait or the offer. Returns true if it ended a wait. */
  end(): boolean {
    const wasWaiting = this.#state === 'waiting';
    this.#timer.stop();
    this.#enter('none');
    return wasWaiting;
  }

  /** Takes the error of a question, or nothing if the server answered it. */
  handleResult(error?: AppError): void {
    if (error === undefined || failureVerdict(error) !== 'busy') this.end();
    else if (this.#state === 'waiting' && this.#deps.clock.now() < this.#endsAt)
      this.#scheduleRetry();
    else this.#enter('offered');
  }

  #scheduleRetry(): void {
    const pauseMs = pausesMs[Math.min(this.#tries, pausesMs.length - 1)] ?? 0;
    this.#tries += 1;
    this.#timer.set(pauseMs, this.#deps.onRetry);
  }

  #enter(state: ServerWait): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#deps.onChanged(state);
  }
}
