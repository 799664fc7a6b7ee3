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
