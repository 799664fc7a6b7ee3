import type { MeasureKind } from '../../shared/talk/talk-measures.ts';

/** One delay of the conversation, in milliseconds. */
export interface Delay {
  readonly kind: MeasureKind;
  readonly ms: number;
}

/** When sound that came was heard, by the place it has in the answer. */
export class SoundDelays {
  readonly #rate: number;
  readonly #tell: (delay: Delay) => void;
  #waiting: readonly { readonly place: number; readonly at: number }[] = [];

  constructor(rate: number, tell: (delay: Delay) => void) {
    this.#rate = rate;
    this.#tell = tell;
  }

  /** Sound came whose first sample stands at this place. */
  came(place: number, at: number): void {
    this.#waiting = [...this.#waiting, { place, at }];
  }

  /** What waits will not be heard. */
  forget(): void {
    this.#waiting = [];
  }

  heard(playhead: number, now: number): void {
    for (const { place, at } of this.#waiting) {
      if (place >= playhead) return;
      const ago = ((playhead - place) * 1000) / this.#rate;
      this.#waiting = this.#waiting.slice(1);
      this.#tell({ kind: 'wireToSound', ms: Math.max(0, now - ago - at) });
    }
  }
}
