/** Grey values of one small picture, compared with those of another. */
export type FrameSignature = Uint8Array;

/** A camera's noise and a compression's wobble stay below both; a moving hand is above one. */
const stillOnAverage = 2;
const stillInOneCell = 14;

/** Even of a still scene the model gets a frame this often. */
const maxStillMs = 5000;

/** Whether anything has moved since the last frame that went, so that slow drift adds up. */
export class StillnessDetector {
  #sent: { readonly signature: FrameSignature; readonly at: number } | undefined;

  isStill(signature: FrameSignature, at: number): boolean {
    if (this.#sent === undefined || at - this.#sent.at >= maxStillMs) return false;
    return !this.hasChanged(signature);
  }

  /** However long ago the last one went. */
  hasChanged(signature: FrameSignature): boolean {
    return this.#sent === undefined || !looksSame(this.#sent.signature, signature);
  }

  recordSent(signature: FrameSignature, at: number): void {
    this.#sent = { signature, at };
  }

  reset(): void {
    this.#sent = undefined;
  }
}

function looksSame(one: FrameSignature, other: FrameSignature): boolean {
  if (one.length !== other.length) return false;
  let sum = 0;
  for (let cell = 0; cell < one.length; cell += 1) {
    const difference = Math.abs((one[cell] ?? 0) - (other[cell] ?? 0));
    if (difference > stillInOneCell) return false;
    sum += difference;
  }
  return sum <= stillOnAverage * one.length;
}
