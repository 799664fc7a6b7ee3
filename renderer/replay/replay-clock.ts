import type { ReplayPlay } from '../../shared/replay/replay-view.ts';

/** The core tells ten times a second where it is; further than this the page does not guess. */
const furthestMs = 250;

/** The time on the tape, also between two of the core's words. It stands while the replay is paused. */
export class ReplayClock {
  readonly #pageNow: () => number;
  #play: ReplayPlay | undefined;
  #toldAt = 0;

  constructor(pageNow: () => number) {
    this.#pageNow = pageNow;
  }

  follow(play: ReplayPlay): void {
    if (play === this.#play) return;
    this.#play = play;
    this.#toldAt = this.#pageNow();
  }

  readonly now = (): number => {
    if (this.#play === undefined) return 0;
    const { at, playing, speed } = this.#play;
    if (!playing) return at;
    return at + Math.min(furthestMs, this.#pageNow() - this.#toldAt) * speed;
  };
}
