/**
 * Limits of the difference between two signatures, in grey levels of 0 to 255: on average, and in one cell. Camera
 * noise and compression artifacts stay below both; a moving hand exceeds one.
 */
const maxStillAverage = 2;
const maxStillCell = 14;

const maxStillMs = 5000;

/** Compares each frame with the last one sent, so that slow changes add up. */
export class StillnessDetector {
  #sent: { readonly signature: Uint8Array; readonly at: number } | undefined;

  isStill(signature: Uint8Array, at: number): boolean {
    if (this.#sent === undefined || at - this.#sent.at >= maxStillMs) return false;
    return !this.hasChanged(signature);
  }

  /** Ignores the age of the last frame. */
  hasChanged(signature: Uint8Array): boolean {
    return this.#sent === undefined || !looksSame(this.#sent.signature, signature);
  }

  recordSent(signature: Uint8Array, at: number): void {
    this.#sent = { signature, at };
  }

  reset(): void {
    this.#sent = undefined;
  }
}

function looksSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let sum = 0;
  for (let cell = 0; cell < one.length; cell += 1) {
    const difference = Math.abs((one[cell] ?? 0) - (other[cell] ?? 0));
    if (difference > maxStillCell) return false;
    sum += difference;
  }
  return sum <= maxStillAverage * one.length;
}
