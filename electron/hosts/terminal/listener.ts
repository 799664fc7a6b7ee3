import type { Clock } from '../../ports/clock.ts';
import type { SessionEvent } from '../../session/session-event.ts';
import type { Playout } from './playout.ts';

/** How often the playhead moves on; captions need no more. */
const playheadMs = 50;
/** A speaker that is this late with what was left has stopped. */
const patienceMs = 2000;

/** Keeps the playout on the session's time line, which begins when the session goes live. */
export class Listener {
  readonly #clock: Clock;
  readonly #playout: Playout;
  readonly #ticked: ((at: number) => void) | undefined;
  #start: number | undefined;
  #stop: (() => void) | undefined;
  #over = false;
  #patientUntil = Infinity;
  #release: () => void = () => undefined;
  readonly #heardOut = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  /** `ticked` is called every so often while the session is live, with the time on its line. */
  constructor(clock: Clock, playout: Playout, ticked?: (at: number) => void) {
    this.#clock = clock;
    this.#playout = playout;
    this.#ticked = ticked;
  }

  readonly hear = (event: SessionEvent): void => {
    if (event.event === 'state' && event.state === 'live') this.#begin();
    if (this.#start !== undefined) this.#playout.advanceTo(this.#clock.now() - this.#start);
    if (event.event === 'closed' && !this.#playout.live) {
      this.#stop?.();
      this.#playout.playOut();
    }
    this.#playout.hear(event);
    if (event.event === 'closed') this.#close();
  };

  /** When all that came before the end has been heard, or nobody wants to hear it any more. */
  heardOut(): Promise<void> {
    return this.#heardOut;
  }

  #close(): void {
    this.#over = true;
    this.#patientUntil = this.#clock.now() + this.#playout.leftMs + patienceMs;
    this.#leaveIfHeard();
  }

  #leaveIfHeard(): void {
    if (!this.#over) return;
    if (!this.#playout.drained && this.#clock.now() < this.#patientUntil) return;
    this.#stop?.();
    this.#release();
  }

  #begin(): void {
    if (this.#start !== undefined) return;
    const start = this.#clock.now();
    this.#start = start;
    const tick = (): void => {
      // Planned first, so that what happens below can stop it; a late tick is not made up for.
      this.#stop = this.#clock.after(playheadMs, tick);
      const at = this.#clock.now() - start;
      this.#playout.advanceTo(at);
      // Not with every event: a step's text and its sound come one after the other.
      this.#playout.showCaption();
      if (!this.#over) this.#ticked?.(at);
      this.#leaveIfHeard();
    };
    this.#stop = this.#clock.after(playheadMs, tick);
  }
}
