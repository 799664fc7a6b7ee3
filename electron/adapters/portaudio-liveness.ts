import { counterAt } from './portaudio-addon.ts';

/**
 * A callback comes every 10 ms; where none came for so long the device is gone, whatever it says.
 * With the 250 ms between two looks, and one to see the last callback, that is within a second.
 */
const silentForSeconds = 0.5;

/** Where a look comes later than that, it is the machine that stood still, and what the device has meanwhile comes now. */
const lookCountsSeconds = 0.3;

/** A sleeping device asks for its first samples at once, and for more only when it is awake. */
const firstCallbacks = 10;
const wakesWithinSeconds = 3;

/** Tells a living stream from one whose device has gone without a word. */
export class Liveness {
  #callbacks = -1;
  #lookedAt = 0;
  #silentSeconds = 0;

  of(counters: Float64Array): boolean {
    const callbacks = counters[counterAt.callbacks] ?? 0;
    const now = performance.now() / 1000;
    this.#silentSeconds += Math.min(now - this.#lookedAt, lookCountsSeconds);
    this.#lookedAt = now;
    if (callbacks !== this.#callbacks) {
      this.#callbacks = callbacks;
      this.#silentSeconds = 0;
    }
    const patience = callbacks < firstCallbacks ? wakesWithinSeconds : silentForSeconds;
    return counters[counterAt.active] === 1 && this.#silentSeconds < patience;
  }
}
