import type { ServerWait } from '../../shared/cursor/quick-view.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import { failureVerdict } from '../talk/user-transcript/phrase-question.ts';

/** The pauses between tries; the last one repeats. */
const pausesMs = [2000, 4000, 8000, 15_000] as const;
/** Parley stops waiting after this long, because the user may have forgotten the question. */
const longestMs = 10 * 60_000;

interface Deps {
  readonly clock: Clock;
  readonly again: () => void;
  readonly changed: (wait: ServerWait) => void;
}

/** Offers to wait when a server is busy, and then asks again until it is free. */
export class BusyWait {
  readonly #deps: Deps;
  readonly #timer: Timer;
  #state: ServerWait = 'none';
  #tries = 0;
  #until = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
  }

  /** The user accepts the offer. */
  begin(): void {
    if (this.#state !== 'offered') return;
    this.#tries = 0;
    this.#until = this.#deps.clock.now() + longestMs;
    this.#enter('waiting');
    this.#pause();
  }

  /** Ends the wait or the offer. Returns whether it was waiting. */
  end(): boolean {
    const waited = this.#state === 'waiting';
    this.#timer.stop();
    this.#enter('none');
    return waited;
  }

  /** Call this when a question was answered, or failed with an error. */
  settled(error?: AppError): void {
    if (error === undefined || failureVerdict(error) !== 'busy') this.end();
    else if (this.#state === 'waiting' && this.#deps.clock.now() < this.#until) this.#pause();
    else this.#enter('offered');
  }

  #pause(): void {
    const pause = pausesMs[Math.min(this.#tries, pausesMs.length - 1)] ?? 0;
    this.#tries += 1;
    this.#timer.set(pause, this.#deps.again);
  }

  #enter(state: ServerWait): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#deps.changed(state);
  }
}
