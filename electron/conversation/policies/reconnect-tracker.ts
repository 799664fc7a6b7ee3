import type { Clock, Random } from '../../ports/clock.ts';
import type { SessionPhase } from '../../session/session-event.ts';
import { verdictOf } from './ending-verdict.ts';
import type { JudgedEnding } from './ending-verdict.ts';
import { afterEnding, freshHistory } from './reconnect-policy.ts';
import type { AfterEnding, ReconnectHistory } from './reconnect-policy.ts';

/** A session that was live for so long has shown that it can be: what went wrong before is forgotten. */
const stableMs = 30_000;

/** Keeps the history that `afterEnding` judges by, over all sessions of one conversation. */
export class ReconnectTracker {
  readonly #clock: Clock;
  readonly #random: Random;
  #history: ReconnectHistory = freshHistory;
  #awaySince: number | undefined;
  #liveSince: number | undefined;

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Every state that a session emits. */
  entered(phase: SessionPhase): void {
    if (phase === 'live') {
      this.#history = { ...this.#history, wasLive: true, talked: true };
      this.#liveSince = this.#clock.now();
    }
    // A server that queues us is not away, however long the queue is.
    if (phase === 'queued' || phase === 'configuring' || phase === 'live')
      this.#awaySince = undefined;
  }

  /** Once for every session that has ended; a reconnect that it asks for counts as tried. */
  ended(ending: JudgedEnding): AfterEnding {
    const now = this.#clock.now();
    if (this.#liveSince !== undefined && now - this.#liveSince >= stableMs) this.onSystemWake();
    this.#liveSince = undefined;
    this.#awaySince ??= now;
    const history = { ...this.#history, awayMs: now - this.#awaySince };
    const then = afterEnding(ending, history, this.#random);
    const failed = verdictOf(ending).kind === 'failed' ? 1 : 0;
    this.#history = {
      ...history,
      tries: history.tries + 1,
      failures: history.failures + failed,
    };
    if (then.do === 'stop') this.began();
    return then;
  }

  /** The person begins or goes on: should this attempt fail, they learn of it at once. */
  began(): void {
    this.#forget({ wasLive: false });
  }

  /** The machine slept, so that what failed before says nothing about now. */
  onSystemWake(): void {
    this.#forget({ wasLive: this.#history.wasLive });
  }

  #forget({ wasLive }: Pick<ReconnectHistory, 'wasLive'>): void {
    this.#history = { ...freshHistory, wasLive, talked: this.#history.talked };
    this.#awaySince = undefined;
    this.#liveSince = undefined;
  }
}
