import { Deque } from '../../shared/deque.ts';
import type { MeasuredDelay } from '../../shared/talk/talk-latency.ts';

/** One delay of the conversation, in milliseconds. */
export interface Delay {
  readonly kind: MeasuredDelay;
  readonly ms: number;
}

/** Measures the delay from the arrival of sound to its playout, by its place in the answer. */
export class PlayoutDelays {
  readonly #rate: number;
  readonly #emit: (delay: Delay) => void;
  #waiting = new Deque<{ readonly place: number; readonly at: number }>();

  constructor(rate: number, emit: (delay: Delay) => void) {
    this.#rate = rate;
    this.#emit = emit;
  }

  /** Sound came whose first sample stands at this place. */
  onArrival(place: number, at: number): void {
    this.#waiting.push({ place, at });
  }

  /** What waits will not be heard. */
  forget(): void {
    this.#waiting = new Deque();
  }

  heard(playhead: number, now: number): void {
    for (let first = this.#waiting.at(0); first !== undefined; first = this.#waiting.at(0)) {
      const { place, at } = first;
      if (place >= playhead) return;
      const ago = ((playhead - place) * 1000) / this.#rate;
      this.#waiting.shift();
      this.#emit({ kind: 'wireToSound', ms: Math.max(0, now - ago - at) });
    }
  }
}
