import type { VisionOptions } from '../../shared/vision/vision-options.ts';

/** How long after the last frame the next one is wanted. */
export function frameInterval(rate: VisionOptions['rate'], chunkMs: number): number {
  return rate === 'everyChunk' ? chunkMs : Math.max(1000 / rate.framesPerSecond, chunkMs);
}

/**
 * Says which of the frames that are offered are worth working on. An append carries one frame, so a
 * chunk needs no more; within half an interval of the last one a frame comes too early, and what
 * comes after that is let in, since a page's timer is never exact.
 */
export class FrameRateLimiter {
  #last: number | undefined;

  accepts(at: number, intervalMs: number): boolean {
    if (this.#last !== undefined && at - this.#last < intervalMs / 2) return false;
    this.#last = at;
    return true;
  }

  /** The next frame is wanted at once. */
  reset(): void {
    this.#last = undefined;
  }
}

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

/** What a piece of work came to, or that a newer one took its place before it began. */
export type LatestOnlyResult<Result> =
  | { readonly done: true; readonly result: Result }
  | { readonly done: false };

/** Works on one thing at a time. While it does, only the newest of what comes waits. */
export class LatestOnlyQueue<Item, Result> {
  readonly #work: (item: Item) => Promise<Result>;
  #waiting: { readonly item: Item; readonly settle: (begin: boolean) => void } | undefined;
  #busy = false;

  constructor(work: (item: Item) => Promise<Result>) {
    this.#work = work;
  }

  async take(item: Item): Promise<LatestOnlyResult<Result>> {
    if (this.#busy && !(await this.#turnFor(item))) return { done: false };
    this.#busy = true;
    try {
      return { done: true, result: await this.#work(item) };
    } finally {
      // Stays busy where another waits: it begins before anything that comes now.
      this.#busy = this.#waiting !== undefined;
      this.#waiting?.settle(true);
      this.#waiting = undefined;
    }
  }

  #turnFor(item: Item): Promise<boolean> {
    this.#waiting?.settle(false);
    return new Promise((settle) => {
      this.#waiting = { item, settle };
    });
  }
}
