import { counterAt } from './portaudio-addon.ts';

/**
 * A callback comes every 10 ms; where none came for so long the device is gone, whatever it says.
 * With the 250 ms between two looks, and one to see the last callback, that is within a second.
 */
const silentForSeconds = 0.5;

/** A sleeping device asks for its first samples at once, and for more only when it is awake. */
const firstCallbacks = 10;
const wakesWithinSeconds = 3;

/** Tells a living stream from one whose device has gone without a word. */
export class Liveness {
  #callbacks = -1;
  #changedAt = 0;

  of(counters: Float64Array): boolean {
    const callbacks = counters[counterAt.callbacks] ?? 0;
    const now = performance.now() / 1000;
    if (callbacks !== this.#callbacks) {
      this.#callbacks = callbacks;
      this.#changedAt = now;
    }
    const patience = callbacks < firstCallbacks ? wakesWithinSeconds : silentForSeconds;
    return counters[counterAt.active] === 1 && now - this.#changedAt < patience;
  }
}
