import { Deque } from '../../../shared/deque.ts';
import { isHighRateNotice } from '../../../shared/ipc/bridge.ts';
import type { BridgeNotice } from './ordered-bridge.ts';

/** Budget within a frame of 16 ms; the rest is for rendering and input. */
const budgetMs = 8;
/** Notices per batch; the clock is checked after each. */
const batchSize = 100;
/** During a flood, notices are applied every fourth frame, which leaves time for input. */
const floodFrames = 4;

interface Deps {
  readonly apply: (notices: readonly BridgeNotice[]) => void;
  readonly now: () => number;
  /** Runs once before the next paint, or after a short delay if the page is hidden. */
  readonly nextFrame: (run: () => void) => void;
  /** Runs once on the next frame tick, with other animations. */
  readonly nextTick: (run: () => void) => void;
}

/**
 * Batches notices by frame, so that the page renders once per batch. The first is applied at once, the following ones
 * with the next frame. High-rate notices wait for the next tick or for another notice.
 */
export class NoticePace {
  readonly #deps: Deps;
  readonly #waiting = new Deque<BridgeNotice>();
  #isFrameRequested = false;
  #isTickRequested = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly add = (notice: BridgeNotice): void => {
    this.#waiting.push(notice);
    if (this.#isFrameRequested) return;
    if (isHighRateNotice(notice.name)) this.#requestTick();
    else this.#begin();
  };

  /** Applies all waiting notices. Call it before applying newer state. */
  readonly flush = (): void => {
    if (this.#waiting.length > 0) this.#deps.apply(this.#take(this.#waiting.length));
  };

  #requestTick(): void {
    if (this.#isTickRequested) return;
    this.#isTickRequested = true;
    this.#deps.nextTick(() => {
      this.#isTickRequested = false;
      if (this.#isFrameRequested) return;
      this.#applyWithinBudget();
      // Notices remain only during a flood.
      if (this.#waiting.length > 0) this.#requestFrame(floodFrames);
    });
  }

  #begin(): void {
    this.#requestFrame(this.#waiting.length > batchSize ? floodFrames : 1);
    this.#applyWithinBudget();
  }

  /** Applies batches until the frame budget is used. */
  #applyWithinBudget(): void {
    const { now, apply } = this.#deps;
    const began = now();
    while (this.#waiting.length > 0) {
      apply(this.#take(batchSize));
      if (now() - began >= budgetMs) return;
    }
  }

  #requestFrame(frames = 1): void {
    this.#isFrameRequested = true;
    this.#deps.nextFrame(() => {
      if (frames > 1) {
        this.#requestFrame(frames - 1);
        return;
      }
      this.#isFrameRequested = false;
      if (this.#waiting.length > 0) this.#begin();
    });
  }

  #take(max: number): readonly BridgeNotice[] {
    const notices: BridgeNotice[] = [];
    while (notices.length < max) {
      const notice = this.#waiting.shift();
      if (notice === undefined) break;
      notices.push(notice);
    }
    return notices;
  }
}
