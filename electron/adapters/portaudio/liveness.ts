import { figureAt } from './native-sound.ts';

/** A callback comes every 10 ms; where none came for so long the device is gone, whatever it says. */
const silentForSeconds = 0.7;

/** Tells a living stream from one whose device has gone without a word. */
export class Liveness {
  #callbacks = -1;
  #changedAt = 0;

  of(figures: Float64Array): boolean {
    const callbacks = figures[figureAt.callbacks] ?? 0;
    const now = performance.now() / 1000;
    if (callbacks !== this.#callbacks) {
      this.#callbacks = callbacks;
      this.#changedAt = now;
    }
    return figures[figureAt.active] === 1 && now - this.#changedAt < silentForSeconds;
  }
}
