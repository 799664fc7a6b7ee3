import { Deque } from '../../../shared/deque.ts';
import { isHighRateNotice } from '../../../shared/ipc/bridge.ts';
import type { BridgeNotice } from './ordered-bridge.ts';

/** Budget within a frame of 16 ms; the rest is for rendering and input. */
const budgetMs = 8;
/** Notices per batch; the clock is checked after each. */
const step = 100;
/** During a flood, notices are applied every fourth frame, which leaves time for input. */
const floodFrames = 4;

interface Deps {
  readonly apply: (notices: readonly BridgeNotice[]) => void;
  readonly now: () => number;
  /** Runs once before the next paint, or soon if the page is hidden. */
  readonly nextFrame: (run: () => void) => void;
  /** Runs once on the next beat, with other animations. */
  readonly nextBeat: (run: () => void) => void;
}

/**
 * Batches notices by frame, so that the page renders once per batch. The first is applied at once, the following ones
 * with the next frame. High-rate notices wait for the beat or for another notice.
 */
export class NoticePace {
  readonly #deps: Deps;
  readonly #waiting = new Deque<BridgeNotice>();
  #frameAsked = false;
  #beatAsked = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly add = (notice: BridgeNotice): void => {
    this.#waiting.push(notice);
    if (this.#frameAsked) return;
    if (isHighRateNotice(notice.name)) this.#askBeat();
    else this.#begin();
  };

  /** Applies everything that waits; call it before newer state. */
  readonly flush = (): void => {
    if (this.#waiting.length > 0) this.#deps.apply(this.#take(this.#waiting.length));
  };

  #askBeat(): void {
    if (this.#beatAsked) return;
    this.#beatAsked = true;
    this.#deps.nextBeat(() => {
      this.#beatAsked = false;
      if (this.#frameAsked) return;
      this.#takeSome();
      // Notices remain only during a flood.
      if (this.#waiting.length > 0) this.#askFrame(floodFrames);
    });
  }

  #begin(): void {
    this.#askFrame(this.#waiting.length > step ? floodFrames : 1);
    this.#takeSome();
  }

  /** Applies batches until the frame budget is used. */
  #takeSome(): void {
    const { now, apply } = this.#deps;
    const began = now();
    while (this.#waiting.length > 0) {
      apply(this.#take(step));
      if (now() - began >= budgetMs) return;
    }
  }

  #askFrame(frames = 1): void {
    this.#frameAsked = true;
    this.#deps.nextFrame(() => {
      if (frames > 1) {
        this.#askFrame(frames - 1);
        return;
      }
      this.#frameAsked = false;
      if (this.#waiting.length > 0) this.#begin();
    });
  }

  #take(most: number): readonly BridgeNotice[] {
    const taken: BridgeNotice[] = [];
    while (taken.length < most) {
      const notice = this.#waiting.shift();
      if (notice === undefined) break;
      taken.push(notice);
    }
    return taken;
  }
}
